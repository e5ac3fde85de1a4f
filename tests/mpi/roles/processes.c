/* Worlds that meet: connections between processes, and processes that are started. */
#include "roles.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static void connect_and_accept(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm between;
    if (rank == 0)
        CALL(MPI_Open_port)(MPI_INFO_NULL, port);
    CALL(MPI_Bcast)(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, comm);
    if (rank == 0)
        CALL(MPI_Comm_accept)(port, MPI_INFO_NULL, 0, own, &between);
    else
        CALL(MPI_Comm_connect)(port, MPI_INFO_NULL, 0, own, &between);
    CALL(MPI_Comm_disconnect)(&between);
    if (rank == 0)
        CALL(MPI_Close_port)(port);
}

/* A connected socket between the two ranks. */
static int socket_between(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0), connected = fd;
    if (rank == 0) {
        CHECK(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0);
        getsockname(fd, (struct sockaddr *)&address, &length);
    }
    CALL(MPI_Bcast)(&address, sizeof address, MPI_BYTE, 0, comm);
    if (rank == 0) {
        connected = accept(fd, NULL, NULL);
        close(fd);
    } else {
        CHECK(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    }
    return connected;
}

static void join(void)
{
    MPI_Comm between;
    int fd = socket_between();
    CALL(MPI_Comm_join)(fd, &between);
    if (between != MPI_COMM_NULL)
        CALL(MPI_Comm_disconnect)(&between);
    close(fd);
}

/* Spawns this program itself: the new process has a parent. */
static void spawn(void)
{
    MPI_Comm children;
    int one = 1, code;
    char path[4096], *words[] = {path};
    MPI_Info nothing[] = {MPI_INFO_NULL};
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    CHECK(length > 0);
    path[length] = '\0';
    CALL(MPI_Comm_spawn)(path, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, comm, &children, &code);
    CALL(MPI_Comm_disconnect)(&children);
    CALL(MPI_Comm_spawn_multiple)(1, words, MPI_ARGVS_NULL, &one, nothing, 0, comm, &children, &code);
    CALL(MPI_Comm_disconnect)(&children);
}

bool is_child(void)
{
    MPI_Comm parent;
    CALL(MPI_Comm_get_parent)(&parent);
    if (parent == MPI_COMM_NULL)
        return false;
    CALL(MPI_Comm_disconnect)(&parent);
    return true;
}

void processes(void)
{
    if (!HAS_PORTS)
        return;
    connect_and_accept();
    join();
    spawn();
}
