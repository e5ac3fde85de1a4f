/* Settings: from the environment, checked, with fallbacks, and one line for each mistake. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/settings.h"
#include "tests/support/unit_test.h"

static char said[4096];

/* Reads the settings with stderr caught. */
static void read_settings(void)
{
    int ends[2], stderr_kept = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    cs_settings_read();
    dup2(stderr_kept, STDERR_FILENO);
    close(stderr_kept);
    ssize_t length = read(ends[0], said, sizeof said - 1);
    said[length > 0 ? length : 0] = '\0';
    close(ends[0]);
}

static void what_is_not_set_has_its_fallback(void **state)
{
    (void)state;
    read_settings();
    assert_string_equal(said, "");
    assert_string_equal(cs_setting_text(CS_SETTING_OUTPUT), ".");
    assert_true(cs_setting_is(CS_SETTING_RECORD, "on"));
}

static void values_are_copied_at_the_reading(void **state)
{
    (void)state;
    setenv("CALLSIGN_OUTPUT", "/tmp/somewhere", 1);
    setenv("CALLSIGN_CONVERT", "later", 1);
    read_settings();
    unsetenv("CALLSIGN_OUTPUT");
    unsetenv("CALLSIGN_CONVERT");
    assert_string_equal(said, "");
    assert_string_equal(cs_setting_text(CS_SETTING_OUTPUT), "/tmp/somewhere");
    assert_true(cs_setting_is(CS_SETTING_CONVERT, "later"));
}

static void a_value_that_is_not_allowed_is_one_line_and_the_fallback(void **state)
{
    (void)state;
    setenv("CALLSIGN_CLOCK", "sundial", 1);
    read_settings();
    unsetenv("CALLSIGN_CLOCK");
    assert_string_equal(said, "callsign: CALLSIGN_CLOCK=sundial is not one of auto|monotonic: using auto\n");
    assert_true(cs_setting_is(CS_SETTING_CLOCK, "auto"));
}

static void part_of_an_allowed_value_is_not_allowed(void **state)
{
    (void)state;
    setenv("CALLSIGN_RECORD", "o", 1);
    read_settings();
    unsetenv("CALLSIGN_RECORD");
    assert_non_null(strstr(said, "CALLSIGN_RECORD=o is not one of on|off"));
}

static void words_for_yes_and_no_are_taken(void **state)
{
    (void)state;
    static const char *const words[][2] = {{"no", "off"},  {"0", "off"},     {"false", "off"},
                                           {"off", "off"}, {"FALSE", "off"}, {"yes", "on"},
                                           {"1", "on"},    {"true", "on"},   {"on", "on"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        setenv("CALLSIGN_RECORD", words[i][0], 1);
        read_settings();
        assert_string_equal(said, "");
        assert_string_equal(cs_setting_text(CS_SETTING_RECORD), words[i][1]);
    }
    unsetenv("CALLSIGN_RECORD");
    setenv("CALLSIGN_KEEP_JOURNAL", "1", 1);
    read_settings();
    unsetenv("CALLSIGN_KEEP_JOURNAL");
    assert_string_equal(said, "");
    assert_true(cs_setting_is(CS_SETTING_KEEP_JOURNAL, "yes"));
    assert_false(cs_setting_allows(&cs_settings[CS_SETTING_FORCE], "no"));
    assert_false(cs_setting_allows(&cs_settings[CS_SETTING_RECORD], "never"));
}

static void what_commands_pass_on_is_known(void **state)
{
    (void)state;
    setenv("CALLSIGN_GDB_LIBRARY", "/lib/x.so", 1);
    setenv("CALLSIGN_LLDB_LIBRARY", "/lib/x.so", 1);
    setenv("CALLSIGN_LLDB_PYTHONPATH", "", 1);
    read_settings();
    unsetenv("CALLSIGN_GDB_LIBRARY");
    unsetenv("CALLSIGN_LLDB_LIBRARY");
    unsetenv("CALLSIGN_LLDB_PYTHONPATH");
    assert_string_equal(said, "");
}

static void one_rank_of_a_launch_speaks(void **state)
{
    (void)state;
    setenv("CALLSIGN_CLOCK", "sundial", 1);
    setenv("CALLSIGN_OUTPUTS", "x", 1);
    setenv("PMI_RANK", "1", 1);
    read_settings();
    assert_string_equal(said, "");
    setenv("PMI_RANK", "0", 1);
    read_settings();
    assert_non_null(strstr(said, "CALLSIGN_CLOCK"));
    assert_non_null(strstr(said, "CALLSIGN_OUTPUTS"));
    unsetenv("PMI_RANK");
    unsetenv("CALLSIGN_OUTPUTS");
    unsetenv("CALLSIGN_CLOCK");
}

static void a_number_is_taken_or_one_line_and_the_fallback(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "many", "-1", "7x", " 7", "1000000000"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[256];
        setenv("CALLSIGN_WARN_COMMUNICATORS", wrong[i], 1);
        read_settings();
        snprintf(line, sizeof line,
                 "callsign: CALLSIGN_WARN_COMMUNICATORS=%s is not a whole number below 1000000000: using 1000\n",
                 wrong[i]);
        assert_string_equal(said, line);
        assert_int_equal(cs_setting_number(CS_SETTING_WARN_COMMUNICATORS), 1000);
    }
    setenv("CALLSIGN_WARN_COMMUNICATORS", "999999999", 1);
    read_settings();
    unsetenv("CALLSIGN_WARN_COMMUNICATORS");
    assert_string_equal(said, "");
    assert_int_equal(cs_setting_number(CS_SETTING_WARN_COMMUNICATORS), 999999999);
}

static void a_moment_is_a_time_or_a_level(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct cs_moment moment;
    } good[] = {
        {"10s", {.ns = 10000000000}},
        {"500ms", {.ns = 500000000}},
        {"2", {.ns = 2000000000}},
        {"1.25s", {.ns = 1250000000}},
        {"1.5min", {.ns = 90000000000}},
        {"0.0000000001s", {.ns = 0}},
        {"999999999s", {.ns = 999999999000000000}},
        {"level:7", {.by_level = true, .level = 7}},
    };
    static const char *const wrong[] = {"",    "soon",        "-1s",    "1.s",      "1 s",
                                        ".5s", "1000000000s", "level:", "level:-1", "level:2x"};
    struct cs_moment moment;
    assert_false(cs_setting_moment(CS_SETTING_EVENTS_FROM, &moment));
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        setenv("CALLSIGN_EVENTS_FROM", good[i].text, 1);
        read_settings();
        assert_string_equal(said, "");
        assert_true(cs_setting_moment(CS_SETTING_EVENTS_FROM, &moment));
        assert_int_equal(moment.by_level, good[i].moment.by_level);
        assert_int_equal(moment.level, good[i].moment.level);
        assert_int_equal(moment.ns, good[i].moment.ns);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[256];
        setenv("CALLSIGN_EVENTS_UNTIL", wrong[i], 1);
        read_settings();
        snprintf(line, sizeof line,
                 "callsign: CALLSIGN_EVENTS_UNTIL=%s is not a time such as 10s or 500ms, or a level such as level:2: "
                 "using none\n",
                 wrong[i]);
        assert_string_equal(said, line);
        assert_false(cs_setting_moment(CS_SETTING_EVENTS_UNTIL, &moment));
    }
    unsetenv("CALLSIGN_EVENTS_FROM");
    unsetenv("CALLSIGN_EVENTS_UNTIL");
}

static void an_unknown_setting_is_one_line(void **state)
{
    (void)state;
    setenv("CALLSIGN_OUTPUTS", "x", 1);
    read_settings();
    unsetenv("CALLSIGN_OUTPUTS");
    assert_string_equal(
        said, "callsign: unknown setting CALLSIGN_OUTPUTS is ignored; `callsign run --help` lists the settings\n");
}

static void control_characters_do_not_reach_the_terminal(void **state)
{
    (void)state;
    setenv("CALLSIGN_CLOCK", "\033[2J\nline", 1);
    read_settings();
    unsetenv("CALLSIGN_CLOCK");
    assert_null(strchr(said, '\033'));
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

static void every_setting_is_described(void **state)
{
    (void)state;
    for (size_t i = 0; i < cs_settings_count; i++) {
        assert_non_null(cs_settings[i].name);
        assert_non_null(cs_settings[i].fallback);
        assert_non_null(cs_settings[i].help);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_set_has_its_fallback),
        cmocka_unit_test(values_are_copied_at_the_reading),
        cmocka_unit_test(a_value_that_is_not_allowed_is_one_line_and_the_fallback),
        cmocka_unit_test(a_moment_is_a_time_or_a_level),
        cmocka_unit_test(part_of_an_allowed_value_is_not_allowed),
        cmocka_unit_test(words_for_yes_and_no_are_taken),
        cmocka_unit_test(what_commands_pass_on_is_known),
        cmocka_unit_test(one_rank_of_a_launch_speaks),
        cmocka_unit_test(a_number_is_taken_or_one_line_and_the_fallback),
        cmocka_unit_test(an_unknown_setting_is_one_line),
        cmocka_unit_test(control_characters_do_not_reach_the_terminal),
        cmocka_unit_test(every_setting_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
