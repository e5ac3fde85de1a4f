/* Files: every form of reading and writing once, with its bytes, on the communicator that the file was opened on. What
   the MPI's own I/O layer calls inside is not the program's. argv[1]: folder for the file. argv[2], if any: leave out
   the nonblocking collective calls, which crash in Open MPI's copy of ROMIO. */
#include "check.h"

enum { N = 8 };

static int rank, size;
static MPI_Comm team;
static MPI_File file;
static const long unit = N * sizeof(int);
static int data[N];
static MPI_Offset mine;
static bool nonblocking_collectives;

static void explicit_offsets(void)
{
    MPI_Request request;
    CALL(MPI_File_write_at)(file, mine, data, N, MPI_INT, MPI_STATUS_IGNORE);
    check_bytes("MPI_File_write_at", "team", unit, 0);
    CALL(MPI_File_write_at_all)(file, mine, data, N, MPI_INT, MPI_STATUS_IGNORE);
    check_bytes("MPI_File_write_at_all", "team", unit, 0);
    CALL(MPI_File_iwrite_at)(file, mine, data, N, MPI_INT, &request);
    check_bytes("MPI_File_iwrite_at", "team", unit, 0);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPI_File_read_at)(file, mine, data, N, MPI_INT, MPI_STATUS_IGNORE);
    check_bytes("MPI_File_read_at", "team", 0, unit);
    CALL(MPI_File_read_at_all)(file, mine, data, N, MPI_INT, MPI_STATUS_IGNORE);
    check_bytes("MPI_File_read_at_all", "team", 0, unit);
    CALL(MPI_File_iread_at)(file, mine, data, N, MPI_INT, &request);
    check_bytes("MPI_File_iread_at", "team", 0, unit);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
}

static void explicit_offsets_together(void)
{
    MPI_Request request;
    CALL(MPI_File_iwrite_at_all)(file, mine, data, N, MPI_INT, &request);
    check_bytes("MPI_File_iwrite_at_all", "team", unit, 0);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPI_File_iread_at_all)(file, mine, data, N, MPI_INT, &request);
    check_bytes("MPI_File_iread_at_all", "team", 0, unit);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
}

static void own_pointer(void)
{
    MPI_Request request;
    CALL(MPI_File_seek)(file, mine, MPI_SEEK_SET);
    CALL(MPI_File_write)(file, data, N, MPI_INT, MPI_STATUS_IGNORE);
    check_bytes("MPI_File_write", "team", unit, 0);
    CALL(MPI_File_seek)(file, mine, MPI_SEEK_SET);
    CALL(MPI_File_write_all)(file, data, N, MPI_INT, MPI_STATUS_IGNORE);
    check_bytes("MPI_File_write_all", "team", unit, 0);
    CALL(MPI_File_seek)(file, mine, MPI_SEEK_SET);
    CALL(MPI_File_iwrite)(file, data, N, MPI_INT, &request);
    check_bytes("MPI_File_iwrite", "team", unit, 0);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Barrier)(team); /* nobody reads before the others have written */
    CALL(MPI_File_seek)(file, mine, MPI_SEEK_SET);
    CALL(MPI_File_read)(file, data, N, MPI_INT, MPI_STATUS_IGNORE);
    check_bytes("MPI_File_read", "team", 0, unit);
    CALL(MPI_File_seek)(file, mine, MPI_SEEK_SET);
    CALL(MPI_File_read_all)(file, data, N, MPI_INT, MPI_STATUS_IGNORE);
    check_bytes("MPI_File_read_all", "team", 0, unit);
    CALL(MPI_File_seek)(file, mine, MPI_SEEK_SET);
    CALL(MPI_File_iread)(file, data, N, MPI_INT, &request);
    check_bytes("MPI_File_iread", "team", 0, unit);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
}

/* At the end of the file nothing is read, whatever was asked for. */
static void end_of_file(void)
{
    int count;
    MPI_Status status;
    CALL(MPI_Barrier)(team);
    CALL(MPI_File_read_at)(file, unit * size - (MPI_Offset)sizeof(int), data, N, MPI_INT, &status);
    check_bytes("MPI_File_read_at", "team", 0, sizeof(int));
    CALL(MPI_Get_count)(&status, MPI_INT, &count);
    CHECK(count == 1);
}

static void split_collectives(void)
{
    CALL(MPI_File_write_at_all_begin)(file, mine, data, N, MPI_INT);
    check_bytes("MPI_File_write_at_all_begin", "team", unit, 0);
    CALL(MPI_File_write_at_all_end)(file, data, MPI_STATUS_IGNORE);
    CALL(MPI_File_read_at_all_begin)(file, mine, data, N, MPI_INT);
    CALL(MPI_File_read_at_all_end)(file, data, MPI_STATUS_IGNORE);
    check_bytes("MPI_File_read_at_all_end", "team", 0, unit);
}

static void shared_pointer(void)
{
    CALL(MPI_File_seek_shared)(file, 0, MPI_SEEK_SET);
    CALL(MPI_File_write_shared)(file, data, N, MPI_INT, MPI_STATUS_IGNORE);
    check_bytes("MPI_File_write_shared", "team", unit, 0);
    CALL(MPI_Barrier)(team);
    CALL(MPI_File_seek_shared)(file, 0, MPI_SEEK_SET);
    CALL(MPI_File_write_ordered)(file, data, N, MPI_INT, MPI_STATUS_IGNORE);
    check_bytes("MPI_File_write_ordered", "team", unit, 0);
    CALL(MPI_Barrier)(team);
    CALL(MPI_File_seek_shared)(file, 0, MPI_SEEK_SET);
    CALL(MPI_File_read_ordered)(file, data, N, MPI_INT, MPI_STATUS_IGNORE);
    check_bytes("MPI_File_read_ordered", "team", 0, unit);
}

int main(int argc, char **argv)
{
    char path[4096];
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &team);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(team, "team");
    snprintf(path, sizeof path, "%s/io.data", argc > 1 ? argv[1] : ".");
    nonblocking_collectives = argc < 3;
    mine = unit * rank;
    CALL(MPI_File_open)(team, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    CALL(MPI_File_set_size)(file, 0);
    CALL(MPI_File_set_view)(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    CALL(MPI_File_set_view)(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    explicit_offsets();
    if (nonblocking_collectives)
        explicit_offsets_together();
    own_pointer();
    end_of_file();
    split_collectives();
    shared_pointer();
    CALL(MPI_File_close)(&file);
    check_sql(
        "SELECT min(object_name) = max(object_name) AND sum(calls) > 5 FROM calls c JOIN object o USING (rank, object) "
        "WHERE c.communicator = 'team' AND o.kind = 'file' AND c.function GLOB 'MPI_File_*write*'");
    CALL(MPI_Comm_free)(&team);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
