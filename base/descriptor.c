#include "base/descriptor.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

static int find_number(void)
{
    enum { OF_SELECT = 1024, LEFT = 128 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return -1;
    rlim_t most = limit.rlim_cur < OF_SELECT ? limit.rlim_cur : OF_SELECT;
    return most > 2 * LEFT ? (int)most - LEFT : (int)most / 2;
}

int cs_descriptor_raise(int low)
{
    int at = find_number(), high = at < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, at);
    close(low);
    return high;
}
