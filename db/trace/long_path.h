/* SQLite refuses paths of more than 512 bytes, but batch systems and tests make such paths. */
#pragma once

/* Returns the name of a VFS like `base` (NULL: the default) that accepts paths as long as the system allows. It does
   not resolve links in the path. NULL: there is no such VFS; use `base` itself. */
const char *cs_long_path_vfs(const char *base);
