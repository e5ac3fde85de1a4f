/* What a file lies on. */
#pragma once

enum cs_file_system {
    CS_FILE_SYSTEM_OTHER,  /* shared by machines, stacked on another one, or not known */
    CS_FILE_SYSTEM_DISK,   /* of this kernel alone: all who open the file here see the same locks */
    CS_FILE_SYSTEM_MEMORY, /* likewise, and nothing of it outlives the machine */
};

/* That of an open file or folder. */
enum cs_file_system cs_file_system_of(int fd);
