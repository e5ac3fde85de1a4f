/* Reads the options of a command with getopt_long. A wrong option gives one line that names the most similar one. */
#pragma once

#include <getopt.h>

/* As getopt_long without the index. '?' after a wrong option: unless opterr is 0, that was logged. */
int cs_option_next(int argc, char *const argv[], const char *letters, const struct option *options);
