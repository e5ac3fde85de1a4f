/* The settings of callsign: environment variables CALLSIGN_<NAME>, each also an option of `callsign run`. One table
   serves the library, `callsign run --help`, `callsign help settings` and docs/reference.md. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cs_setting_id {
    CS_SETTING_OUTPUT,
    CS_SETTING_RUN,
    CS_SETTING_RECORD,
    CS_SETTING_SEAL,
    CS_SETTING_KEEP_JOURNAL,
    CS_SETTING_JOURNAL,
    CS_SETTING_SYNC,
    CS_SETTING_CLOCK,
    CS_SETTING_STACKS,
    CS_SETTING_RECOGNIZE,
    CS_SETTING_NAMES,
    CS_SETTING_APPLY,
    CS_SETTING_FORCE,
    CS_SETTING_WARN_COMMUNICATORS,
    CS_SETTING_LAUNCH,
    CS_SETTING_COUNT
};

/* What a setting allows whose values are whole numbers up to 999999999. */
#define CS_SETTING_IS_NUMBER "a number"

struct cs_setting {
    const char *name;     /* without CALLSIGN_ */
    const char *option;   /* of `callsign run`, without the dashes; NULL: set by callsign itself, not for users */
    const char *argument; /* what the help shows for the value */
    const char *allowed;  /* the values, separated by '|', or CS_SETTING_IS_NUMBER; NULL: any text */
    const char *fallback; /* value when unset or malformed */
    const char *help;     /* for `callsign run --help`: at most 50 characters */
    const char *details;  /* for `callsign help settings`: further sentences; "": none */
};

extern const struct cs_setting cs_settings[CS_SETTING_COUNT];
extern const size_t cs_settings_count;

/* Reads the environment once and logs one line for every unknown CALLSIGN_* variable and every malformed value, in the
   first rank of a launch only; nothing is read in setuid programs. Call before the others, which give fallbacks until
   then. Not safe against a concurrent setenv. */
void cs_settings_read(void);

/* The value in the word that the setting has for it: "off" of a setting that is on or off for no, 0 and false. */
const char *cs_setting_word(const struct cs_setting *setting, const char *value);

/* Where relative paths in settings begin, if it is not the folder at the time of cs_settings_read. Call before it. */
void cs_settings_begin_in(const char *folder);

/* The same, if a program that has not called the others has it in its environment. */
bool cs_setting_in_environment(enum cs_setting_id id, const char *value);

/* Whether a setting may have this value. */
bool cs_setting_allows(const struct cs_setting *setting, const char *value);

/* The value in force; never NULL. */
const char *cs_setting_text(enum cs_setting_id id);

/* The value in force of a setting that is a number. */
uint32_t cs_setting_number(enum cs_setting_id id);

/* Whether a setting with fixed values has this one. */
bool cs_setting_is(enum cs_setting_id id, const char *value);
