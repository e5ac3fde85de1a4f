/* The run folder's name: equal on all ranks of a launch, different for two launches. /proc and the environment are made
 * up here. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/process/run_folder.h"
#include "tests/support/unit_test.h"

static char work[] = "/tmp/callsign-run-folder-XXXXXX";
static char proc[64], output[64];

/* ---- a /proc of our own ---- */

static void write_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* command: words separated by spaces. */
static void make_process(int pid, int parent, unsigned long start, const char *command)
{
    char folder[PATH_MAX], path[PATH_MAX + 16], text[1024];
    snprintf(folder, sizeof folder, "%s/%d", proc, pid);
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/stat", folder);
    int length = snprintf(text, sizeof text, "%d (a ) S (b) S %d 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %lu 0 0\n", pid,
                          parent, start);
    write_file(path, text, (size_t)length);
    length = snprintf(text, sizeof text, "%s", command) + 1;
    for (int i = 0; i < length; i++)
        if (text[i] == ' ')
            text[i] = 0;
    snprintf(path, sizeof path, "%s/cmdline", folder);
    write_file(path, text, (size_t)length);
    snprintf(path, sizeof path, "%s/exe", folder);
    unlink(path);
    snprintf(folder, sizeof folder, "/opt/bin/%s", strrchr(text, '/') ? strrchr(text, '/') + 1 : text);
    assert_int_equal(symlink(folder, path), 0);
}

static int begin(void **state)
{
    (void)state;
    strcpy(strrchr(work, '-'), "-XXXXXX");
    if (!mkdtemp(work))
        return -1;
    snprintf(proc, sizeof proc, "%s/proc", work);
    snprintf(output, sizeof output, "%s/out", work);
    char path[128];
    static const char *const folders[] = {"proc", "proc/sys", "proc/sys/kernel", "proc/sys/kernel/random"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", work, folders[i]);
        if (mkdir(path, 0777) != 0)
            return -1;
    }
    snprintf(path, sizeof path, "%s/sys/kernel/hostname", proc);
    write_file(path, "node1\n", 6);
    snprintf(path, sizeof path, "%s/sys/kernel/random/boot_id", proc);
    write_file(path, "boot-1\n", 7);
    return 0;
}

static int end(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", work);
    return system(command);
}

struct answer {
    enum cs_status status;
    char path[PATH_MAX];
    const char *name;
    uint64_t hash;
};

static struct answer ask_as(struct cs_run_request request, int pid, char *const *environment)
{
    static char *const nothing[] = {NULL};
    static struct answer answers[8];
    static unsigned next;
    struct answer *answer = &answers[next++ % 8];
    memset(answer, 0, sizeof *answer);
    request.proc = proc;
    request.pid = pid;
    request.environment = environment ? environment : nothing;
    if (!request.output)
        request.output = output;
    answer->status = cs_run_folder(&request, answer->path, sizeof answer->path, &answer->hash, NULL);
    answer->name = strrchr(answer->path, '/') ? strrchr(answer->path, '/') + 1 : "";
    return *answer;
}

static struct answer ask(int pid, char *const *environment)
{
    struct answer answer = ask_as((struct cs_run_request){0}, pid, environment);
    assert_int_equal(answer.status, CS_OK);
    return answer;
}

static void assert_same(struct answer one, struct answer other)
{
    assert_string_equal(one.path, other.path);
    assert_true(one.hash == other.hash);
}

static void assert_differ(struct answer one, struct answer other)
{
    assert_string_not_equal(one.path, other.path);
    assert_true(one.hash != other.hash);
}

/* ---- no launcher ---- */

static void process_without_launcher_has_a_folder_of_its_own(void **state)
{
    (void)state;
    make_process(100, 1, 5000, "./solver");
    make_process(101, 1, 5000, "./solver");
    struct answer one = ask(100, NULL);
    assert_same(one, ask(100, NULL));
    assert_differ(one, ask(101, NULL));
    assert_int_equal(strncmp(one.path, output, strlen(output)), 0);
    assert_int_equal(strlen(one.name), strlen("solver.12345678.callsign"));
    struct stat status;
    assert_int_equal(stat(one.path, &status), 0);
    assert_true(S_ISDIR(status.st_mode));
}

static void reused_pid_is_another_run(void **state)
{
    (void)state;
    make_process(100, 1, 5000, "./solver");
    struct answer one = ask(100, NULL);
    make_process(100, 1, 6000, "./solver");
    assert_differ(one, ask(100, NULL));
}

static void program_is_the_script_of_an_interpreter(void **state)
{
    (void)state;
    make_process(100, 1, 1, "/usr/bin/python3 -u /home/me/train.py --fast");
    assert_int_equal(strncmp(ask(100, NULL).name, "train.py.", 9), 0);
    make_process(101, 1, 1, "/usr/bin/python3 -m solver.main");
    assert_int_equal(strncmp(ask(101, NULL).name, "solver.main.", 12), 0);
    make_process(102, 1, 1, "/usr/bin/python3 -c import_something");
    assert_int_equal(strncmp(ask(102, NULL).name, "python3.", 8), 0);
}

static void odd_program_names_become_file_names(void **state)
{
    (void)state;
    make_process(100, 1, 1, "./-so$lv'er\n");
    assert_int_equal(strncmp(ask(100, NULL).name, "_so_lv_er_.", 11), 0);
}

/* ---- Hydra ---- */

static char *hydra_one_node[] = {"PMI_RANK=0", "PMI_SIZE=2", "MPI_LOCALNRANKS=2", NULL};
static char *hydra_two_nodes[] = {"PMI_RANK=0", "PMI_SIZE=4", "MPI_LOCALNRANKS=2", NULL};

static void make_hydra(int mpiexec, unsigned long start, const char *port, const char *launcher)
{
    char command[256];
    make_process(mpiexec, 1, start, launcher);
    snprintf(command, sizeof command, "/usr/bin/hydra_pmi_proxy --control-port %s --pgid 0 --proxy-id 0", port);
    make_process(mpiexec + 1, mpiexec, start + 1, command);
    make_process(mpiexec + 2, mpiexec + 1, start + 2, "./solver");
    make_process(mpiexec + 3, mpiexec + 1, start + 3, "/bin/sh -c ./solver");
    make_process(mpiexec + 4, mpiexec + 3, start + 4, "./solver");
}

static void hydra_ranks_agree_also_behind_a_shell(void **state)
{
    (void)state;
    make_hydra(200, 70, "node1:4000", "mpiexec -n 2 ./solver");
    assert_same(ask(202, hydra_one_node), ask(204, hydra_one_node));
}

static void hydra_launches_differ_even_with_the_same_port(void **state)
{
    (void)state;
    make_hydra(200, 70, "node1:4000", "mpiexec -n 2 ./solver");
    make_hydra(300, 80, "node1:4000", "mpiexec -n 2 ./solver");
    assert_differ(ask(202, hydra_one_node), ask(302, hydra_one_node));
}

static void hydra_ranks_of_several_nodes_agree(void **state)
{
    (void)state;
    make_hydra(200, 70, "node1:4000", "mpiexec -n 4 ./solver");
    make_hydra(300, 99, "node1:4000", "sshd"); /* another machine: other pids and times, no mpiexec */
    assert_same(ask(202, hydra_two_nodes), ask(302, hydra_two_nodes));
}

static void several_programs_in_one_launch_agree(void **state)
{
    (void)state;
    make_hydra(200, 70, "node1:4000", "mpiexec -n 1 ./ocean : -n 1 ./ice");
    make_process(202, 201, 72, "./ocean");
    make_process(205, 201, 72, "./ice");
    struct answer ocean = ask(202, hydra_one_node);
    assert_same(ocean, ask(205, hydra_one_node));
    assert_int_equal(strncmp(ocean.name, "mpmd.", 5), 0);
}

/* ---- Open MPI ---- */

static void openmpi_ranks_agree_and_jobs_differ(void **state)
{
    (void)state;
    make_process(200, 1, 70, "mpirun -n 2 ./solver");
    make_process(201, 200, 71, "./solver");
    make_process(202, 200, 72, "./solver");
    char *first[] = {"OMPI_COMM_WORLD_RANK=0", "PMIX_NAMESPACE=17", "OMPI_MCA_orte_precondition_transports=ab-cd",
                     NULL};
    char *second[] = {"OMPI_COMM_WORLD_RANK=1", "PMIX_NAMESPACE=17", "OMPI_MCA_orte_precondition_transports=ab-cd",
                      NULL};
    char *other[] = {"OMPI_COMM_WORLD_RANK=0", "PMIX_NAMESPACE=17", "OMPI_MCA_orte_precondition_transports=ab-ce",
                     NULL};
    char *spawned[] = {"OMPI_COMM_WORLD_RANK=0", "PMIX_NAMESPACE=18", "OMPI_MCA_orte_precondition_transports=ab-cd",
                       NULL};
    struct answer one = ask(201, first);
    assert_same(one, ask(202, second));
    assert_differ(one, ask(201, other));
    assert_differ(one, ask(201, spawned));
}

static void openmpi_contexts_agree(void **state)
{
    (void)state;
    char *environment[] = {"OMPI_COMM_WORLD_RANK=0", "PMIX_NAMESPACE=17", "OMPI_NUM_APP_CTX=2", NULL};
    make_process(200, 1, 70, "orted");
    make_process(201, 200, 71, "./ocean");
    make_process(202, 200, 72, "./ice");
    assert_same(ask(201, environment), ask(202, environment));
}

static void nearest_launcher_counts_not_the_outer_ones_environment(void **state)
{
    (void)state;
    make_hydra(200, 70, "node1:4000", "mpiexec -n 2 ./solver");
    make_hydra(300, 80, "node1:5000", "mpiexec -n 2 ./solver");
    char *environment[] = {
        "PMI_RANK=0", "PMI_SIZE=2", "MPI_LOCALNRANKS=2", "PMIX_NAMESPACE=17", "OMPI_COMM_WORLD_RANK=0", NULL};
    assert_differ(ask(202, environment), ask(302, environment));
}

/* ---- Slurm and callsign run ---- */

static void slurm_step_is_readable(void **state)
{
    (void)state;
    make_process(200, 1, 70, "slurmstepd: [4711.2]");
    make_process(201, 200, 71, "./solver");
    char *environment[] = {"SLURM_JOB_ID=4711", "SLURM_STEP_ID=2", "SLURM_PROCID=1", "PMI_RANK=1", NULL};
    assert_string_equal(ask(201, environment).name, "solver.4711.2.callsign");
}

static void launcher_inside_a_slurm_job_has_the_job_in_its_name(void **state)
{
    (void)state;
    make_hydra(200, 70, "node1:4000", "mpiexec -n 2 ./solver");
    make_hydra(300, 80, "node1:4001", "mpiexec -n 2 ./solver");
    char *environment[] = {"PMI_RANK=0",        "PMI_SIZE=2",     "MPI_LOCALNRANKS=2",
                           "SLURM_JOB_ID=4711", "SLURM_PROCID=0", NULL};
    struct answer one = ask(202, environment);
    assert_int_equal(strncmp(one.name, "solver.4711.", 12), 0);
    assert_same(one, ask(204, environment));
    assert_differ(one, ask(302, environment));
}

static void launch_token_is_mixed_in(void **state)
{
    (void)state;
    make_process(100, 1, 5000, "./solver");
    char *first[] = {"CALLSIGN_LAUNCH=aaaa", NULL};
    char *second[] = {"CALLSIGN_LAUNCH=bbbb", NULL};
    assert_differ(ask(100, first), ask(100, second));
}

/* ---- names and folders ---- */

static void folder_of_another_launch_is_passed_over(void **state)
{
    (void)state;
    make_process(100, 1, 5000, "./solver");
    make_process(101, 1, 5001, "./solver");
    struct cs_run_request request = {.run = "mine.callsign"};
    struct answer one = ask_as(request, 100, NULL);
    assert_string_equal(one.name, "mine.callsign");
    assert_string_equal(ask_as(request, 101, NULL).name, "mine-2.callsign");
    assert_string_equal(ask_as(request, 100, NULL).name, "mine.callsign");
    assert_string_equal(ask_as(request, 101, NULL).name, "mine-2.callsign");
}

static void another_attempt_gives_another_folder(void **state)
{
    (void)state;
    make_process(100, 1, 5000, "./solver");
    struct answer one = ask(100, NULL);
    struct answer two = ask_as((struct cs_run_request){.attempt = 1}, 100, NULL);
    assert_int_equal(two.status, CS_OK);
    assert_string_not_equal(one.path, two.path);
    assert_non_null(strstr(two.name, "-2.callsign"));
}

static void named_folder_may_be_absolute_and_without_ending(void **state)
{
    (void)state;
    make_process(100, 1, 5000, "./solver");
    char wanted[128];
    snprintf(wanted, sizeof wanted, "%s/deep/er/run/", work);
    struct answer one = ask_as((struct cs_run_request){.run = wanted}, 100, NULL);
    assert_int_equal(one.status, CS_OK);
    wanted[strlen(wanted) - 1] = 0;
    assert_string_equal(one.path, wanted);
}

static void place_that_is_no_folder_is_an_error(void **state)
{
    (void)state;
    make_process(100, 1, 5000, "./solver");
    char file[128];
    snprintf(file, sizeof file, "%s/file", work);
    write_file(file, "x", 1);
    assert_int_equal(ask_as((struct cs_run_request){.output = file}, 100, NULL).status, CS_IO);
    assert_int_equal(ask_as((struct cs_run_request){.output = "/proc/nowhere"}, 100, NULL).status, CS_IO);
}

static void name_that_is_too_long_is_an_error(void **state)
{
    (void)state;
    make_process(100, 1, 5000, "./solver");
    static char name[PATH_MAX + 10];
    memset(name, 'x', sizeof name - 1);
    assert_int_equal(ask_as((struct cs_run_request){.run = name}, 100, NULL).status, CS_INVALID);
    char small[8];
    uint64_t hash;
    struct cs_run_request request = {.output = output, .proc = proc, .pid = 100};
    assert_int_equal(cs_run_folder(&request, small, sizeof small, &hash, NULL), CS_INVALID);
}

static void process_that_proc_does_not_know_still_gets_a_folder(void **state)
{
    (void)state;
    assert_int_equal(strncmp(ask(999, NULL).name, "program.", 8), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(process_without_launcher_has_a_folder_of_its_own),
        TEST(reused_pid_is_another_run),
        TEST(program_is_the_script_of_an_interpreter),
        TEST(odd_program_names_become_file_names),
        TEST(hydra_ranks_agree_also_behind_a_shell),
        TEST(hydra_launches_differ_even_with_the_same_port),
        TEST(hydra_ranks_of_several_nodes_agree),
        TEST(several_programs_in_one_launch_agree),
        TEST(openmpi_ranks_agree_and_jobs_differ),
        TEST(openmpi_contexts_agree),
        TEST(nearest_launcher_counts_not_the_outer_ones_environment),
        TEST(slurm_step_is_readable),
        TEST(launcher_inside_a_slurm_job_has_the_job_in_its_name),
        TEST(launch_token_is_mixed_in),
        TEST(folder_of_another_launch_is_passed_over),
        TEST(another_attempt_gives_another_folder),
        TEST(named_folder_may_be_absolute_and_without_ending),
        TEST(place_that_is_no_folder_is_an_error),
        TEST(name_that_is_too_long_is_an_error),
        TEST(process_that_proc_does_not_know_still_gets_a_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
