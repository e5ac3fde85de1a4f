/* Variables of its environment, one of them long, and what a trace has of them. */
#include "check.h"

int main(int argc, char **argv)
{
    char longest[301];
    memset(longest, 'x', 300);
    longest[300] = '\0';
    setenv("CUDA_VISIBLE_DEVICES", longest, 1);
    CALL(MPI_Init)(&argc, &argv);
    check_sql("SELECT value = 'spread' FROM meta WHERE key = 'environment.OMP_PROC_BIND'");
    check_sql("SELECT length(value) = 256 FROM meta WHERE key = 'environment.CUDA_VISIBLE_DEVICES'");
    check_sql("SELECT count(*) = 0 FROM meta WHERE key LIKE '%%SECRET%%'");
    check_sql("SELECT count(*) = 1 FROM meta WHERE key = 'cpus_online'");
    CALL(MPI_Finalize)();
    return check_write();
}
