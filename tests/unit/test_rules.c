/* Naming rules: what they match, what names they give, and what is said of lines that are none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rules_parser.h"
#include "callsign/debug.h"
#include "journal_words.h"
#include "tests/support/scratch.h"
#include "tests/support/unit_test.h"

#define USUAL (1u << CALLSIGN_COMMUNICATOR | 1u << CALLSIGN_DATATYPE | 1u << CALLSIGN_WINDOW)

static char told[4096];

static void complain(void *context, unsigned line, unsigned column, const char *what)
{
    (void)context;
    size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "%u:%u: %s\n", line, column, what);
}

static const struct cs_rules_options options = {
    .kind_name = cs_name_of_kind, .usual_kinds = USUAL, .complain = complain};

static struct cs_rules *parse(const char *text)
{
    struct cs_rules *rules = NULL;
    told[0] = '\0';
    assert_int_equal(cs_rules_parse(text, strlen(text), &options, &rules), CS_OK);
    return rules;
}

/* ---- an object to be named ---- */

static struct cs_source place = {"Cblacs_gridmap", "blacs_map.c", 42};
static unsigned asked;

static const struct cs_source *source(void *context)
{
    (void)context;
    asked++;
    return place.function[0] ? &place : NULL;
}

static const struct cs_rules_site grid = {.kind = CALLSIGN_COMMUNICATOR,
                                          .function = "MPI_Comm_split",
                                          .library = "libscalapack-openmpi.so.2.2",
                                          .source = source};
static const struct cs_rules_values values = {
    .parent = "MPI_COMM_WORLD", .color = 3, .key = -7, .rank = 5, .first = 1, .nth = 2};

static char name[64];

/* The line of the rule that names the object at this site, or 0; its name is in `name`. */
static unsigned name_at(const struct cs_rules *rules, const struct cs_rules_site *site,
                        const struct cs_rules_values *with, size_t size)
{
    size_t i = cs_rules_next(rules, 0, site);
    while (i < rules->count && !cs_rule_takes_parent(&rules->rule[i], with->parent))
        i = cs_rules_next(rules, i + 1, site);
    if (i == rules->count)
        return 0;
    cs_rule_write_name(&rules->rule[i], site, with, name, size);
    return rules->rule[i].line;
}

static unsigned name_by(const char *text)
{
    struct cs_rules *rules = parse(text);
    assert_string_equal(told, "");
    unsigned line = name_at(rules, &grid, &values, sizeof name);
    cs_rules_free(rules);
    return line;
}

static void every_condition_must_hold(void **state)
{
    (void)state;
    static const char *const hold[] = {
        "kind=communicator",
        "kind=comm*",
        "function=MPI_Comm_split",
        "function=MPI_Comm_*",
        "library=libscalapack*",
        "caller=Cblacs_gridmap",
        "caller=*map",
        "at=blacs_map.c:42",
        "at=/src/blacs_map.c:42",
        "at=blacs_*.c:*",
        "parent=MPI_COMM_WORLD",
        "parent=\"MPI_COMM_*\"",
        "kind=[cw]*",
        "",
    };
    static const char *const fail[] = {
        "kind=window",      "function=MPI_Comm_dup", "function=mpi_comm_split",
        "library=libgrid*", "caller=gridmap",        "at=blacs_map.c:41",
        "at=other.c:*",     "parent=rows",
    };
    char text[300];
    for (size_t i = 0; i < sizeof hold / sizeof *hold; i++) {
        snprintf(text, sizeof text, "%s -> it", hold[i]);
        if (name_by(text) != 1)
            fail_msg("%s should match", text);
        for (size_t j = 0; j < sizeof fail / sizeof *fail; j++) {
            if (strncmp(hold[i], fail[j], 2) == 0) /* the same condition twice */
                continue;
            snprintf(text, sizeof text, "%s %s -> it", hold[i], fail[j]);
            if (name_by(text) != 0)
                fail_msg("%s should not match", text);
        }
    }
}

static void the_first_rule_that_matches_names(void **state)
{
    (void)state;
    assert_int_equal(name_by("parent=rows -> a\n\n# b\nfunction=MPI_Comm_split -> c # d\n-> e\n"), 4);
    assert_string_equal(name, "c");
    assert_int_equal(name_by("parent=rows -> a\nlibrary=libscalapack* parent=rows -> b\n-> e"), 3);
    assert_string_equal(name, "e");
}

static void placeholders_tell_of_the_object(void **state)
{
    (void)state;
    name_by("-> \"{color} {key} {rank} {first} {n} {parent}\"");
    assert_string_equal(name, "3 -7 5 1 2 MPI_COMM_WORLD");
    name_by("-> \"{function}|{caller}|{library}\"");
    assert_string_equal(name, "MPI_Comm_split|Cblacs_gridmap|libscalapack-openmpi.so.2.2");
    name_by("-> {{{n}}}");
    assert_string_equal(name, "{2}");
    name_by("-> \"a \\\"b\\\" \\\\ c\\d\"");
    assert_string_equal(name, "a \"b\" \\ c\\d");
}

static void what_is_not_known_is_a_question_mark_and_matches_nothing(void **state)
{
    (void)state;
    static const struct cs_rules_site nowhere = {.kind = CALLSIGN_WINDOW};
    static const struct cs_rules_values nothing = {.color = INT64_MIN, .key = INT64_MIN, .rank = -1, .first = -1};
    struct cs_rules *rules = parse("library=* -> a\nfunction=* -> b\ncaller=* -> c\nat=*:* -> d\nparent=* -> e\n"
                                   "-> {color}{key}{rank}{first}{n}{parent}{function}{caller}{library}");
    assert_string_equal(told, "");
    assert_int_equal(name_at(rules, &nowhere, &nothing, sizeof name), 6);
    assert_string_equal(name, "?????????");
    cs_rules_free(rules);
}

static void the_source_is_asked_only_when_all_else_matches(void **state)
{
    (void)state;
    asked = 0;
    assert_int_equal(
        name_by("library=libgrid* caller=* -> a\nkind=window at=*:* -> {caller}\nfunction=MPI_Comm_split -> b"), 3);
    assert_int_equal(asked, 0);
    assert_int_equal(name_by("library=libsca* caller=C* -> a"), 1);
    assert_int_equal(asked, 1);
    struct cs_rules *rules = parse("parent=x -> a");
    assert_false(rules->needs_source);
    cs_rules_free(rules);
    rules = parse("parent=x -> {caller}");
    assert_true(rules->needs_source);
    cs_rules_free(rules);
}

static void inlined_functions_answer_to_each_of_their_names(void **state)
{
    (void)state;
    struct cs_source before = place;
    snprintf(place.function, sizeof place.function, "add (inlined into sum(int))");
    assert_int_equal(name_by("caller=add -> {caller}"), 1);
    assert_string_equal(name, "add");
    assert_int_equal(name_by("caller=sum(int) -> a"), 1);
    assert_int_equal(name_by("caller=\"add (inlined*\" -> a"), 1);
    assert_int_equal(name_by("caller=sum -> a"), 0);
    place = before;
}

static void names_are_cut_at_whole_characters(void **state)
{
    (void)state;
    struct cs_rules *rules = parse("-> \"ab\xc3\xa4\xe2\x82\xac\xf0\x9f\x9a\x80z\"");
    static const size_t whole[] = {0, 1, 2, 2, 4, 4, 4, 7, 7, 7, 7, 11, 12};
    for (size_t bytes = 0; bytes < sizeof whole / sizeof *whole; bytes++) {
        memset(name, '#', sizeof name);
        name_at(rules, &grid, &values, bytes + 1);
        assert_int_equal(strlen(name), whole[bytes]);
        assert_int_equal(name[bytes + 1], '#');
    }
    cs_rules_free(rules);
}

static void rules_say_which_kinds_they_name(void **state)
{
    (void)state;
    struct cs_rules *rules = parse("kind=window -> a\nkind=file -> b");
    assert_int_equal(rules->kinds, 1u << CALLSIGN_WINDOW | 1u << CALLSIGN_FILE);
    cs_rules_free(rules);
    rules = parse("function=MPI_Comm_dup -> a");
    assert_int_equal(rules->kinds, USUAL);
    cs_rules_free(rules);
    rules = parse("# nothing\n");
    assert_int_equal(rules->kinds, 0);
    cs_rules_free(rules);
}

static void the_text_of_a_rule_has_no_comment(void **state)
{
    (void)state;
    struct cs_rules *rules = parse("\xef\xbb\xbf  kind=window -> \"a # b\" # c\r\n\tparent=x#y -> z\r\n");
    assert_string_equal(told, "");
    assert_int_equal(rules->count, 2);
    assert_string_equal(rules->rule[0].text, "kind=window -> \"a # b\"");
    assert_string_equal(rules->rule[1].text, "parent=x#y -> z");
    assert_int_equal(rules->rule[1].line, 2);
    cs_rules_free(rules);
}

static void mistakes_have_line_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"kind=window", "1:12: -> and a name are missing"},
        {"\n  kind=window   # x", "2:17: -> and a name are missing"},
        {"->", "1:3: the name is missing"},
        {"-> # x", "1:4: the name is missing"},
        {"-> \"\"", "1:4: the name is empty"},
        {"-> a b", "1:6: nothing but a comment may follow the name"},
        {"-> \"a", "1:4: the quote is not closed"},
        {"-> \"a\\\"", "1:4: the quote is not closed"},
        {"-> \"a\"b", "1:7: a blank is missing after the closing quote"},
        {"parent=\"\xc3\xa4\xc3\xb6\" colour=3 -> a",
         "1:13: there is no condition colour: conditions are kind, library"},
        {"window -> a", "1:1: here must be a condition"},
        {"kind -> a", "1:1: here must be a condition"},
        {"Kind=window -> a", "1:1: here must be a condition"},
        {"kind=windows -> a", "1:6: there is no kind windows: kinds are communicator, datatype"},
        {"kind= -> a", "1:6: kind= has no pattern"},
        {"kind=\"\" -> a", "1:6: kind= has no pattern"},
        {"kind=window kind=file -> a", "1:13: kind= stands twice"},
        {"at=a.c -> a", "1:4: at=a.c is neither FILE:LINE nor FILE:*"},
        {"at=a.c: -> a", "1:4: at=a.c: is neither FILE:LINE nor FILE:*"},
        {"at=a.c:x -> a", "1:4: at=a.c:x: x is no line number"},
        {"at=a.c:0 -> a", "1:4: at=a.c:0: 0 is no line number"},
        {"at=a.c:99999999999999999999 -> a", "1:4: at=a.c:99999999999999999999: 9999"},
        {"at=src/:3 -> a", "1:4: at= names a folder and no file"},
        {"-> \"row {colour}\"", "1:9: there is no placeholder {colour}: placeholders are {color}, {key}"},
        {"-> {}", "1:4: there is no placeholder {}"},
        {"-> a{n", "1:5: { without }"},
        {"-> a}", "1:5: } without {"},
        {"-> a\x01", "1:5: a control character (0x01)"},
        {"-> \"\x1b[2J\"", "1:5: a control character (0x1b)"},
        {"kind=window->a", "1:6: there is no kind window->a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cs_rules *rules = parse(cases[i].text);
        if (strncmp(told, cases[i].said, strlen(cases[i].said)) != 0)
            fail_msg("of %s was said: %s", cases[i].text, told);
        assert_ptr_equal(strchr(told, '\n'), told + strlen(told) - 1);
        assert_int_equal(rules->count, 0);
        cs_rules_free(rules);
    }
}

static void a_line_with_a_mistake_leaves_the_others(void **state)
{
    (void)state;
    struct cs_rules *rules = parse("kind=x -> a\n-> b\n-> {c}\nparent=y -> d");
    assert_int_equal(rules->count, 2);
    assert_int_equal(rules->rule[0].line, 2);
    assert_int_equal(rules->rule[1].line, 4);
    assert_non_null(strstr(told, "1:6: "));
    assert_non_null(strstr(told, "3:4: "));
    cs_rules_free(rules);
    rules = NULL;
    told[0] = '\0';
    assert_int_equal(cs_rules_parse("-> a\0\n-> b", 10, &options, &rules), CS_OK);
    assert_int_equal(rules->count, 1);
    assert_string_equal(told, "1:5: a control character (0x00)\n");
    cs_rules_free(rules);
}

static void long_lines_are_told(void **state)
{
    (void)state;
    char *text = malloc(10000);
    memset(text, 'x', 9999);
    text[9999] = '\0';
    memcpy(text, "-> ", 3);
    struct cs_rules *rules = parse(text);
    assert_string_equal(told, "1:4001: the line has more than 4000 bytes\n");
    cs_rules_free(rules);
    free(text);
}

/* ---- files ---- */

/* Loads a file with stderr caught. */
static enum cs_status load(const char *path, bool quiet, struct cs_rules **rules, size_t *mistakes)
{
    int ends[2], stderr_kept = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    enum cs_status status = cs_rules_load(path, &options, quiet, rules, mistakes);
    dup2(stderr_kept, STDERR_FILENO);
    close(stderr_kept);
    ssize_t length = read(ends[0], told, sizeof told - 1);
    told[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    return status;
}

static void write_file(const char *path, const char *text, size_t times)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < times; i++)
        fputs(text, file);
    fclose(file);
}

static void a_file_is_read_and_its_mistakes_logged(void **state)
{
    (void)state;
    struct cs_rules *rules;
    size_t mistakes;
    write_file("names.rules", "-> {x}\n-> a\n", 1);
    assert_int_equal(load("names.rules", false, &rules, &mistakes), CS_OK);
    assert_int_equal(mistakes, 1);
    assert_int_equal(rules->count, 1);
    assert_ptr_equal(strstr(told, "callsign: names.rules:1:4: there is no placeholder {x}"), told);
    cs_rules_free(rules);
    assert_int_equal(load("names.rules", true, &rules, &mistakes), CS_OK);
    assert_int_equal(mistakes, 1);
    assert_string_equal(told, "");
    cs_rules_free(rules);
}

static void mistakes_without_end_are_not_told_without_end(void **state)
{
    (void)state;
    struct cs_rules *rules;
    size_t mistakes, lines = 0;
    write_file("names.rules", "?\n", 1000);
    assert_int_equal(load("names.rules", false, &rules, &mistakes), CS_OK);
    assert_int_equal(mistakes, 1000);
    for (const char *at = told; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, 11);
    assert_non_null(strstr(told, "names.rules: 990 more lines with mistakes\n"));
    cs_rules_free(rules);
}

static void what_is_no_small_regular_file_is_one_line(void **state)
{
    (void)state;
    struct cs_rules *rules = NULL;
    size_t mistakes;
    assert_int_equal(load("absent", false, &rules, &mistakes), CS_IO);
    assert_string_equal(told, "callsign: cannot read the naming rules absent: No such file or directory\n");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(load("pipe", false, &rules, &mistakes), CS_INVALID);
    assert_string_equal(told, "callsign: cannot read the naming rules pipe: not a file of at most 1 MiB\n");
    assert_int_equal(load(".", false, &rules, &mistakes), CS_INVALID);
    assert_int_equal(load("/dev/zero", false, &rules, &mistakes), CS_INVALID);
    write_file("large", "# 345678901234567890123456789012\n", (1 << 20) / 32);
    assert_int_equal(load("large", true, &rules, &mistakes), CS_INVALID);
    assert_null(rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_condition_must_hold),
        cmocka_unit_test(the_first_rule_that_matches_names),
        cmocka_unit_test(placeholders_tell_of_the_object),
        cmocka_unit_test(what_is_not_known_is_a_question_mark_and_matches_nothing),
        cmocka_unit_test(the_source_is_asked_only_when_all_else_matches),
        cmocka_unit_test(inlined_functions_answer_to_each_of_their_names),
        cmocka_unit_test(names_are_cut_at_whole_characters),
        cmocka_unit_test(rules_say_which_kinds_they_name),
        cmocka_unit_test(the_text_of_a_rule_has_no_comment),
        cmocka_unit_test(mistakes_have_line_and_column),
        cmocka_unit_test(a_line_with_a_mistake_leaves_the_others),
        cmocka_unit_test(long_lines_are_told),
        cmocka_unit_test(a_file_is_read_and_its_mistakes_logged),
        cmocka_unit_test(mistakes_without_end_are_not_told_without_end),
        cmocka_unit_test(what_is_no_small_regular_file_is_one_line),
    };
    return cmocka_run_group_tests(tests, cs_scratch_enter, cs_scratch_leave);
}
