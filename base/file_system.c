#include "base/file_system.h"

#include <stddef.h>
#include <sys/vfs.h>

/* Numbers as in linux/magic.h and in the sources of those that are not in the kernel. overlayfs is left out: locks on
   its files are not seen by those who open the file in the layer below. */
static const struct {
    unsigned long magic;
    enum cs_file_system kind;
} known[] = {
    {0xef53, CS_FILE_SYSTEM_DISK},       /* ext2, ext3, ext4 */
    {0x58465342, CS_FILE_SYSTEM_DISK},   /* XFS */
    {0x9123683e, CS_FILE_SYSTEM_DISK},   /* Btrfs */
    {0xf2f52010, CS_FILE_SYSTEM_DISK},   /* F2FS */
    {0x2fc12fc1, CS_FILE_SYSTEM_DISK},   /* ZFS */
    {0xca451a4e, CS_FILE_SYSTEM_DISK},   /* bcachefs */
    {0x3153464a, CS_FILE_SYSTEM_DISK},   /* JFS */
    {0x01021994, CS_FILE_SYSTEM_MEMORY}, /* tmpfs */
    {0x858458f6, CS_FILE_SYSTEM_MEMORY}, /* ramfs */
};

enum cs_file_system cs_file_system_of(int fd)
{
    struct statfs about;
    if (fstatfs(fd, &about) == 0)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (((unsigned long)about.f_type & 0xffffffff) == known[i].magic)
                return known[i].kind;
    return CS_FILE_SYSTEM_OTHER;
}
