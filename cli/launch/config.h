/* Configuration files of `callsign run`: a user's own, and callsign.conf beside the program. Each line has the name of
   an option and its value. Options and environment variables take precedence, then the file beside the program. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/settings.h"

/* Options of `callsign run` that are no settings; their numbers follow those of the settings. */
enum { CS_CONFIG_QUIET = CS_SETTING_COUNT, CS_CONFIG_REPORT, CS_CONFIG_SNAPSHOT_ON, CS_CONFIG_COUNT };

enum { CS_CONFIG_FILES = 2 };

struct cs_config {
    struct {
        char *value; /* NULL: neither a file has it, nor, if it is no setting, a variable */
        char *from;  /* "FILE:LINE", or the name of the variable */
    } item[CS_CONFIG_COUNT];
    struct {
        char *path;
        bool read; /* it exists and may be used */
    } file[CS_CONFIG_FILES];
};

/* Reads the files. path: the file of arguments[0], a program or a launcher with a program; NULL: none. quiet: log
   nothing. A wrong line or a file that cannot be trusted gives one line on stderr and is ignored. */
void cs_config_read(struct cs_config *config, const char *path, char *const arguments[], bool quiet);

void cs_config_free(struct cs_config *config);

/* Sets the environment variables of settings that are not set yet. */
bool cs_config_apply(const struct cs_config *config);
