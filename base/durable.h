/* What is to outlive a power failure. Nothing is done on file systems in memory. */
#pragma once

#include <stdbool.h>

/* Waits until the content of an open file is on the disk. False: it cannot be written there; errno tells. */
bool cs_durable_content(int fd);

/* Waits until the name of a file, which was made or renamed, is on the disk. Some file systems cannot: no harm. */
void cs_durable_name(const char *path);
