/* The trace has the arguments of creating calls as JSON. argv[1]: folder for a file. */
#include "check.h"

static int rank, size;

/* Names a communicator, states what the trace must tell of it, and frees it. */
static void comm_tells(MPI_Comm comm, const char *name, const char *detail)
{
    CALL(MPI_Comm_set_name)(comm, name);
    check_sql("SELECT detail IS %s%s%s AND (detail IS NULL OR json_valid(detail)) FROM object WHERE name = '%s'",
              detail ? "'" : "", detail ? detail : "NULL", detail ? "'" : "", name);
    CALL(MPI_Comm_free)(&comm);
}

static MPI_Info hint(void)
{
    MPI_Info info;
    CALL(MPI_Info_create)(&info);
    CALL(MPI_Info_set)(info, "callsign_hint", "say \"yes\"");
    return info;
}

static void communicators(void)
{
    MPI_Comm comm;
    MPI_Group group;
    char text[80];
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
    comm_tells(comm, "dup", NULL);
    MPI_Info info = hint();
    CALL(MPI_Comm_dup_with_info)(MPI_COMM_WORLD, info, &comm);
    comm_tells(comm, "dup_with_info", "{\"info\":{\"callsign_hint\":\"say \\\"yes\\\"\"}}");
    CALL(MPI_Info_free)(&info);
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, rank + 10, -rank, &comm);
    snprintf(text, sizeof text, "{\"color\":%d,\"key\":%d}", rank + 10, -rank);
    comm_tells(comm, "split", text);
    check_sql("SELECT json_extract(detail, '$.color') = %d FROM objects WHERE name = 'split'", rank + 10);
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, rank ? MPI_UNDEFINED : 0, 7, &comm);
    if (comm != MPI_COMM_NULL)
        comm_tells(comm, "undefined elsewhere", "{\"color\":0,\"key\":7}");
    CALL(MPI_Comm_split_type)(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 3, MPI_INFO_NULL, &comm);
    comm_tells(comm, "split_type", "{\"split_type\":\"shared\",\"key\":3}");
    CALL(MPI_Comm_group)(MPI_COMM_WORLD, &group);
    CALL(MPI_Comm_create_group)(MPI_COMM_WORLD, group, 42, &comm);
    comm_tells(comm, "create_group", "{\"tag\":42}");
    CALL(MPI_Group_free)(&group);
}

/* More than there is room for: what fits is kept whole, the rest is left out. */
static void more_than_fits(void)
{
    enum { HINTS = 30, LENGTH = 200 };
    MPI_Comm comm;
    MPI_Info info;
    char key[40], value[LENGTH + 1] = "";
    CALL(MPI_Info_create)(&info);
    memset(value, 'v', LENGTH);
    for (int i = 0; i < HINTS; i++) {
        snprintf(key, sizeof key, "callsign_hint_%d", i);
        CALL(MPI_Info_set)(info, key, value);
    }
    CALL(MPI_Comm_dup_with_info)(MPI_COMM_WORLD, info, &comm);
    CALL(MPI_Comm_set_name)(comm, "many hints");
    check_sql(
        "SELECT count(*) BETWEEN 8 AND 9 AND min(length(h.value)) = %d FROM object, json_each(detail, '$.info') h "
        "WHERE name = 'many hints'",
        LENGTH);
    CALL(MPI_Comm_free)(&comm);
    CALL(MPI_Info_free)(&info);
}

static void intercommunicators(void)
{
    MPI_Comm half, inter, merged;
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, rank, 0, &half);
    /* The peer communicator and the leader there are read at the leaders only: here, that is everybody. */
    CALL(MPI_Intercomm_create)(half, 0, MPI_COMM_WORLD, 1 - rank, 99, &inter);
    CALL(MPI_Intercomm_merge)(inter, rank == 1, &merged);
    comm_tells(merged, "merged", rank == 1 ? "{\"high\":true}" : "{\"high\":false}");
    comm_tells(inter, "inter",
               rank ? "{\"local_leader\":0,\"remote_leader\":0,\"tag\":99}"
                    : "{\"local_leader\":0,\"remote_leader\":1,\"tag\":99}");
    comm_tells(half, "half", rank ? "{\"color\":1,\"key\":0}" : "{\"color\":0,\"key\":0}");
}

/* Both ranks are one side; the leader is rank 1, and rank 0 passes nonsense where it does not count. */
static void insignificant(void)
{
    MPI_Comm alone, inter;
    if (size < 3)
        return;
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, rank == 2, 0, &alone);
    if (rank == 2)
        CALL(MPI_Intercomm_create)(alone, 0, MPI_COMM_WORLD, 1, 5, &inter);
    else
        CALL(MPI_Intercomm_create)
    (alone, 1, rank == 1 ? MPI_COMM_WORLD : MPI_COMM_NULL, rank == 1 ? 2 : -77, 5, &inter);
    comm_tells(inter, "one side",
               rank == 0   ? "{\"local_leader\":1,\"tag\":5}"
               : rank == 1 ? "{\"local_leader\":1,\"remote_leader\":2,\"tag\":5}"
                           : "{\"local_leader\":0,\"remote_leader\":1,\"tag\":5}");
    CALL(MPI_Comm_free)(&alone);
}

static void topologies(void)
{
    MPI_Comm comm, lines, fresh;
    int dims[2] = {size, 1}, periods[2] = {0, 3}, remain[2] = {5, 0};
    CALL(MPI_Cart_create)(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    CALL(MPI_Cart_sub)(comm, remain, &lines);
    comm_tells(lines, "lines", "{\"remain_dims\":[true,false]}");
    char text[120];
    snprintf(text, sizeof text, "{\"dims\":[%d,1],\"periods\":[false,true],\"reorder\":false}", size);
    comm_tells(comm, "cart", text);
    check_sql("SELECT json_extract(detail, '$.dims[0]') = %d AND json_extract(detail, '$.periods[1]') = 1 FROM object "
              "WHERE name = 'cart'",
              size);
    int index[2] = {1, 2}, edges[2] = {1, 0};
    CALL(MPI_Graph_create)(MPI_COMM_WORLD, 2, index, edges, 0, &comm);
    if (comm != MPI_COMM_NULL)
        comm_tells(comm, "graph", "{\"index\":[1,2],\"edges\":[1,0],\"reorder\":false}");
    int from[1] = {(rank + size - 1) % size}, to[1] = {(rank + 1) % size}, one[1] = {1};
    CALL(MPI_Dist_graph_create_adjacent)
    (MPI_COMM_WORLD, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    snprintf(text, sizeof text,
             "{\"indegree\":1,\"sources\":[%d],\"outdegree\":1,\"destinations\":[%d],\"reorder\":false}", from[0],
             to[0]);
    comm_tells(comm, "adjacent", text);
    DUP_FOR_DIST_GRAPH(MPI_COMM_WORLD, &fresh);
    CALL(MPI_Dist_graph_create)(fresh, 1, &rank, one, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &comm);
    snprintf(text, sizeof text, "{\"sources\":[%d],\"degrees\":[1],\"destinations\":[%d],\"reorder\":true}", rank,
             to[0]);
    comm_tells(comm, "dist_graph", text);
}

/* Open MPI cannot make every kind of window between processes of one node that may not look into each other. */
static void win_tells(int result, MPI_Win *win, const char *name, const char *condition)
{
    if (result != MPI_SUCCESS)
        return;
    CALL(MPI_Win_set_name)(*win, name);
    check_sql("SELECT %s FROM object WHERE name = '%s'", condition, name);
    CALL(MPI_Win_free)(win);
}

static void windows_and_files(const char *folder)
{
    MPI_Win win;
    MPI_File file;
    double memory[4], *base;
    char path[3000];
    MPI_Info info = hint();
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int result = CALL(MPI_Win_create)(memory, sizeof memory, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    win_tells(result, &win, "created",
              "json_extract(detail, '$.size', '$.disp_unit', '$.flavor') = '[32,8,\"create\"]' AND "
              "json_extract(detail, '$.model') IN ('unified', 'separate')");
    result = CALL(MPI_Win_allocate)(24, 4, info, MPI_COMM_WORLD, &base, &win);
    win_tells(result, &win, "allocated",
              "json_extract(detail, '$.size', '$.disp_unit', '$.info.callsign_hint', '$.flavor') = '[24,4,\"say "
              "\\\"yes\\\"\",\"allocate\"]'");
    result = CALL(MPI_Win_create_dynamic)(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    win_tells(result, &win, "dynamic", "detail GLOB '{\"flavor\":\"dynamic\",\"model\":\"*\"}'");
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    snprintf(path, sizeof path, "%s/details.out", folder);
    CALL(MPI_File_open)
    (MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file);
    CALL(MPI_File_close)(&file);
    CALL(MPI_Info_free)(&info);
    check_sql("SELECT name = 'details.out' AND name_origin = 'derived' AND json_extract(detail, '$.amode') = "
              "'create|rdwr|delete_on_close' AND json_extract(detail, '$.filename') LIKE '%%/details.out' AND "
              "json_extract(detail, '$.info.callsign_hint') = 'say \"yes\"' FROM object WHERE kind = 'file'");
    check_sql(
        "SELECT n.name = 'details.out' AND n.at_ns = o.created_ns FROM naming n JOIN object o USING (object) WHERE "
        "o.kind = 'file'");
}

/* A datatype that nobody names is named after how it was made; its detail has the arguments. */
static void type_tells(MPI_Datatype *type, const char *name, const char *detail)
{
    check_sql("SELECT detail IS %s%s%s AND name_origin = 'derived' AND freed_ns >= created_ns FROM object WHERE name = "
              "'%s'",
              detail ? "'" : "", detail ? detail : "NULL", detail ? "'" : "", name);
    check_sql(
        "SELECT count(*) = 1 AND min(n.at_ns = o.created_ns AND n.origin = 'derived') FROM naming n JOIN object o "
        "USING (object) WHERE o.name = '%s'",
        name);
    CALL(MPI_Type_free)(type);
}

static void datatypes(void)
{
    MPI_Datatype vector, type;
    int lengths[6] = {2, 1, 1, 1, 1, 1}, places[6] = {0, 5, 7, 9, 11, 13};
    MPI_Aint addresses[2] = {0, 40};
    CALL(MPI_Type_vector)(4, 2, 8, MPI_DOUBLE, &vector);
    CALL(MPI_Type_contiguous)(3, vector, &type);
    type_tells(&type, "contiguous(3) of vector(4,2,8) of MPI_DOUBLE", "{\"count\":3}");
    CALL(MPI_Type_create_resized)(vector, -8, 16, &type);
    type_tells(&type, "resized(-8,16) of vector(4,2,8) of MPI_DOUBLE", "{\"lb\":-8,\"extent\":16}");
    type_tells(&vector, "vector(4,2,8) of MPI_DOUBLE", "{\"count\":4,\"blocklength\":2,\"stride\":8}");
    CALL(MPI_Type_create_hvector)(4, 2, 100, MPI_INT, &type);
    type_tells(&type, "hvector(4,2,100) of MPI_INT", "{\"count\":4,\"blocklength\":2,\"stride\":100}");
    CALL(MPI_Type_indexed)(6, lengths, places, MPI_INT, &type);
    type_tells(&type, "indexed([2,1,1,1,...],[0,5,7,9,...]) of MPI_INT",
               "{\"count\":6,\"blocklengths\":[2,1,1,1,1,1],\"displacements\":[0,5,7,9,11,13]}");
    CALL(MPI_Type_create_hindexed_block)(2, 3, addresses, MPI_INT, &type);
    type_tells(&type, "hindexed_block(3,[0,40]) of MPI_INT",
               "{\"count\":2,\"blocklength\":3,\"displacements\":[0,40]}");
}

static void structs_and_arrays(void)
{
    MPI_Datatype type, types[2] = {MPI_INT, MPI_DOUBLE};
    int lengths[2] = {2, 1};
    MPI_Aint addresses[2] = {0, 40};
    CALL(MPI_Type_create_struct)(2, lengths, addresses, types, &type);
    check_sql("SELECT json_extract(s.detail, '$.types[0]') = i.object AND json_extract(s.detail, '$.types[1]') = "
              "d.object AND json_array_length(s.detail, '$.displacements') = 2 FROM object s, object i, object d WHERE "
              "s.name = 'struct(2) of MPI_INT, MPI_DOUBLE' AND i.name = 'MPI_INT' AND d.name = 'MPI_DOUBLE'");
    CALL(MPI_Type_free)(&type);
    int sizes[2] = {8, 9}, subsizes[2] = {4, 5}, starts[2] = {0, 1};
    CALL(MPI_Type_create_subarray)(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_FLOAT, &type);
    type_tells(&type, "subarray([8,9],[4,5],[0,1]) of MPI_FLOAT",
               "{\"sizes\":[8,9],\"subsizes\":[4,5],\"starts\":[0,1],\"order\":\"C\"}");
    int distribs[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, dargs[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
    int grid[2] = {2, 1};
    CALL(MPI_Type_create_darray)(2, 1, 2, sizes, distribs, dargs, grid, MPI_ORDER_FORTRAN, MPI_INT, &type);
    type_tells(&type, "darray(2,1,[8,9],[block,cyclic],[2,1]) of MPI_INT",
               "{\"size\":2,\"rank\":1,\"gsizes\":[8,9],\"distribs\":[\"block\",\"cyclic\"],\"dargs\":[null,2],"
               "\"psizes\":[2,1],\"order\":\"Fortran\"}");
}

/* Names of the program, now and before, and lists that are too long. */
static void names_and_limits(void)
{
    MPI_Datatype column, copy, type;
    int places[100];
    CALL(MPI_Type_vector)(5, 1, 5, MPI_INT, &column);
    CALL(MPI_Type_contiguous)(2, column, &type);
    CALL(MPI_Type_set_name)(column, "column");
    CALL(MPI_Type_dup)(column, &copy);
    type_tells(&type, "contiguous(2) of vector(5,1,5) of MPI_INT", "{\"count\":2}");
    check_sql("SELECT detail IS NULL AND name_origin = 'derived' FROM object WHERE name = 'dup of column'");
    check_sql("SELECT name_origin = 'program' FROM object WHERE name = 'column'");
    check_sql("SELECT count(*) = 1 FROM naming JOIN object o USING (object) WHERE o.name = 'column'");
    CALL(MPI_Type_free)(&copy);
    CALL(MPI_Type_free)(&column);
    for (int i = 0; i < 100; i++)
        places[i] = 2 * i;
    CALL(MPI_Type_create_indexed_block)(100, 1, places, MPI_INT, &type);
    check_sql("SELECT json_array_length(detail, '$.displacements') = 32 AND json_extract(detail, "
              "'$.displacements_count', '$.displacements[31]') = '[100,62]' FROM object WHERE name = "
              "'indexed_block(1,[0,2,4,6,...]) of MPI_INT'");
    CALL(MPI_Type_free)(&type);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    check_skip("objects");
    check_skip("bytes");
    communicators();
    more_than_fits();
    if (size == 2)
        intercommunicators();
    insignificant();
    topologies();
    windows_and_files(argc > 1 ? argv[1] : ".");
    datatypes();
    structs_and_arrays();
    names_and_limits();
    check_say("rank %d is done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
