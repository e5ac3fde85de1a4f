/* SQLite refuses paths of more than 512 bytes, which batch systems and tests do make. */
#pragma once

/* The name of a VFS that does as the one named (NULL: the default), with paths as long as the system allows. Links in
   the path are not resolved. NULL: there is no such VFS; open with the one named then. */
const char *cs_long_path_vfs(const char *base);
