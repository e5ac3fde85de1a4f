/* callsign's settings: environment variables CALLSIGN_<NAME>, each also an option of `callsign run`. This one table
   serves the library, `callsign run --help`, `callsign help settings` and docs/reference.md. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cs_setting_id {
    CS_SETTING_OUTPUT,
    CS_SETTING_RUN,
    CS_SETTING_RECORD,
    CS_SETTING_CONVERT,
    CS_SETTING_KEEP_JOURNAL,
    CS_SETTING_JOURNAL,
    CS_SETTING_FILES,
    CS_SETTING_SYNC,
    CS_SETTING_CLOCK,
    CS_SETTING_STACKS,
    CS_SETTING_RECOGNIZE,
    CS_SETTING_THROUGH,
    CS_SETTING_NAMES,
    CS_SETTING_APPLY,
    CS_SETTING_FORCE,
    CS_SETTING_WARN_COMMUNICATORS,
    CS_SETTING_RING,
    CS_SETTING_EVENTS,
    CS_SETTING_EVENT_LIMIT,
    CS_SETTING_EVENTS_FROM,
    CS_SETTING_EVENTS_UNTIL,
    CS_SETTING_CHECK,
    CS_SETTING_WHY,
    CS_SETTING_COUNTERS,
    CS_SETTING_LAUNCH,
    CS_SETTING_COUNT
};

/* The value of `allowed` for whole numbers up to 999999999. */
#define CS_SETTING_IS_NUMBER "a number"

/* CALLSIGN_JOURNAL: journals are in the run folder. */
#define CS_SETTING_IN_RUN "run"

/* The value of `allowed` for bytes: a whole number up to 999999999, with K, M or G behind it for KiB, MiB or GiB. */
#define CS_SETTING_IS_SIZE "a size"

/* The value of `allowed` for a moment of the run: a time after MPI_Init in s, ms or min, below 10^9 of them, or level:N
   for a call of MPI_Pcontrol(N). */
#define CS_SETTING_IS_MOMENT "a moment"

/* The value of `allowed` for names of hardware counters: see base/counter_names.h. */
#define CS_SETTING_IS_COUNTERS "counters"

struct cs_setting {
    const char *name;     /* without CALLSIGN_ */
    const char *option;   /* option of `callsign run`, without dashes; NULL: callsign sets it itself, not users */
    const char *argument; /* placeholder for the value in the help */
    const char *allowed;  /* allowed values, separated by '|', CS_SETTING_IS_NUMBER, CS_SETTING_IS_SIZE,
                             CS_SETTING_IS_MOMENT or CS_SETTING_IS_COUNTERS; NULL: any text */
    const char *fallback; /* value when unset or malformed */
    const char *help;     /* for `callsign run --help`: at most 50 characters */
    const char *details;  /* for `callsign help settings`: more sentences; "": none */
};

extern const struct cs_setting cs_settings[CS_SETTING_COUNT];
extern const size_t cs_settings_count;

/* Reads the environment once. Logs one line for every unknown CALLSIGN_* variable and every malformed value, in the
   first rank of a launch only. Reads nothing in setuid programs. Until this call, the functions below return
   fallbacks. Not safe against a concurrent setenv. */
void cs_settings_read(void);

/* The canonical word for a value: "off" for no, 0 and false of an on-off setting. */
const char *cs_setting_word(const struct cs_setting *setting, const char *value);

/* Sets the folder for relative paths in settings; default: the working folder during cs_settings_read. Call it
   before that. */
void cs_settings_begin_in(const char *folder);

/* True if the environment has this value for the setting; for programs that do not call cs_settings_read. */
bool cs_setting_in_environment(enum cs_setting_id id, const char *value);

/* True if the setting may have this value. */
bool cs_setting_allows(const struct cs_setting *setting, const char *value);

/* Returns the current value; never NULL. */
const char *cs_setting_text(enum cs_setting_id id);

/* Returns the current value of a numeric setting. */
uint32_t cs_setting_number(enum cs_setting_id id);

/* Returns the current value of a setting with a size, in bytes. */
uint64_t cs_setting_bytes(enum cs_setting_id id);

/* A moment of the run. */
struct cs_moment {
    bool by_level; /* a call of MPI_Pcontrol with this level; else a time */
    int level;
    uint64_t ns; /* after MPI_Init */
};

/* Reads the current value of a setting with a moment. False: none is set. */
bool cs_setting_moment(enum cs_setting_id id, struct cs_moment *moment);

/* True if a setting with fixed values has this one. */
bool cs_setting_is(enum cs_setting_id id, const char *value);
