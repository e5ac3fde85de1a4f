/* A test double: the part of MPI-1 that a program on one process needs, as small libraries have it. It has no PMPI_
   names, no names or attributes of objects, no MPI_COMM_SELF, no MPI_Group_size, windows, files, hints, sessions or
   threads; handles are small numbers that are given out again at once; constants are macros, enumerators and variables.
 */
#ifndef MPI_H
#define MPI_H

#ifdef __cplusplus
extern "C" {
#endif

typedef int MPI_Comm;
typedef int MPI_Group;
typedef int MPI_Datatype;
typedef int MPI_Request;
typedef int MPI_Op;
typedef int MPI_Errhandler;
typedef unsigned long MPI_Aint;

typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int bytes, cancelled; /* not for programs */
} MPI_Status;

typedef void MPI_User_function(void *in, void *inout, int *length, MPI_Datatype *type);
typedef void MPI_Handler_function(MPI_Comm *comm, int *error, ...);

enum {
    MPI_SUCCESS,
    MPI_ERR_BUFFER,
    MPI_ERR_COUNT,
    MPI_ERR_TYPE,
    MPI_ERR_TAG,
    MPI_ERR_COMM,
    MPI_ERR_RANK,
    MPI_ERR_ROOT,
    MPI_ERR_GROUP,
    MPI_ERR_OP,
    MPI_ERR_TOPOLOGY,
    MPI_ERR_DIMS,
    MPI_ERR_ARG,
    MPI_ERR_UNKNOWN,
    MPI_ERR_TRUNCATE,
    MPI_ERR_OTHER,
    MPI_ERR_INTERN,
    MPI_ERR_IN_STATUS,
    MPI_ERR_PENDING,
    MPI_ERR_REQUEST,
    MPI_ERR_LASTCODE
};
enum { MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL };
enum { MPI_GRAPH = 1, MPI_CART };

#define MPI_UNDEFINED        (-32766)
#define MPI_PROC_NULL        (-2)
#define MPI_ANY_SOURCE       (-3)
#define MPI_ANY_TAG          (-1)
#define MPI_MAX_ERROR_STRING 64
#define MPI_BSEND_OVERHEAD   16
#define MPI_BOTTOM           ((void *)0)

#define MPI_COMM_NULL  0
#define MPI_COMM_WORLD 1
#define MPI_GROUP_NULL 0
extern const MPI_Group MPI_GROUP_EMPTY;
#define MPI_DATATYPE_NULL    0
#define MPI_REQUEST_NULL     0
#define MPI_OP_NULL          0
#define MPI_ERRHANDLER_NULL  0
#define MPI_ERRORS_ARE_FATAL 1
#define MPI_ERRORS_RETURN    2

enum {
    MPI_CHAR = 1,
    MPI_BYTE,
    MPI_PACKED,
    MPI_SHORT,
    MPI_INT,
    MPI_LONG,
    MPI_UNSIGNED_CHAR,
    MPI_UNSIGNED_SHORT,
    MPI_UNSIGNED,
    MPI_UNSIGNED_LONG,
    MPI_FLOAT,
    MPI_DOUBLE,
    MPI_LONG_DOUBLE,
    MPI_DOUBLE_INT,
    MPI_2INT,
    MPI_LB,
    MPI_UB
};
enum {
    MPI_MAX = 1,
    MPI_MIN,
    MPI_SUM,
    MPI_PROD,
    MPI_LAND,
    MPI_BAND,
    MPI_LOR,
    MPI_BOR,
    MPI_LXOR,
    MPI_BXOR,
    MPI_MINLOC,
    MPI_MAXLOC
};

/* The process. */
int MPI_Init(int *argc, char ***argv);
int MPI_Initialized(int *flag);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int code);
double MPI_Wtime(void);
double MPI_Wtick(void);
int MPI_Get_version(int *version, int *subversion);

/* Errors. */
int MPI_Error_class(int code, int *class_of_code);
int MPI_Error_string(int code, char *string, int *length);
int MPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *handler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *handler);
int MPI_Errhandler_free(MPI_Errhandler *handler);

/* Groups and communicators. */
int MPI_Group_rank(MPI_Group group, int *rank);
int MPI_Group_translate_ranks(MPI_Group from, int count, int *ranks, MPI_Group to, int *translated);
int MPI_Group_compare(MPI_Group first, MPI_Group second, int *result);
int MPI_Group_incl(MPI_Group group, int count, int *ranks, MPI_Group *made);
int MPI_Group_excl(MPI_Group group, int count, int *ranks, MPI_Group *made);
int MPI_Group_union(MPI_Group first, MPI_Group second, MPI_Group *made);
int MPI_Group_intersection(MPI_Group first, MPI_Group second, MPI_Group *made);
int MPI_Group_difference(MPI_Group first, MPI_Group second, MPI_Group *made);
int MPI_Group_free(MPI_Group *group);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int MPI_Comm_compare(MPI_Comm first, MPI_Comm second, int *result);
int MPI_Comm_test_inter(MPI_Comm comm, int *flag);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made);
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Topo_test(MPI_Comm comm, int *topology);
int MPI_Dims_create(int nodes, int ndims, int *dims);
int MPI_Cart_create(MPI_Comm comm, int ndims, int *dims, int *periods, int reorder, MPI_Comm *made);
int MPI_Cartdim_get(MPI_Comm comm, int *ndims);
int MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int *coords);
int MPI_Cart_shift(MPI_Comm comm, int direction, int displacement, int *source, int *dest);

/* Datatypes. */
int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_indexed(int count, int *lengths, int *displacements, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_struct(int count, int *lengths, MPI_Aint *displacements, MPI_Datatype *olds, MPI_Datatype *made);
int MPI_Type_commit(MPI_Datatype *type);
int MPI_Type_free(MPI_Datatype *type);
int MPI_Type_size(MPI_Datatype type, int *size);
int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent);
int MPI_Type_lb(MPI_Datatype type, MPI_Aint *lower);
int MPI_Type_ub(MPI_Datatype type, MPI_Aint *upper);
int MPI_Address(void *location, MPI_Aint *address);
int MPI_Pack(void *from, int count, MPI_Datatype type, void *to, int room, int *position, MPI_Comm comm);
int MPI_Unpack(void *from, int room, int *position, void *to, int count, MPI_Datatype type, MPI_Comm comm);
int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *size);

/* Messages, from the process to itself. */
int MPI_Send(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
int MPI_Ssend(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
int MPI_Rsend(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
int MPI_Bsend(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
int MPI_Buffer_attach(void *buffer, int size);
int MPI_Buffer_detach(void *buffer, int *size);
int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Sendrecv(void *out, int out_count, MPI_Datatype out_type, int dest, int out_tag, void *in, int in_count,
                 MPI_Datatype in_type, int source, int in_tag, MPI_Comm comm, MPI_Status *status);
int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int MPI_Get_count(MPI_Status *status, MPI_Datatype type, int *count);
int MPI_Isend(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Issend(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Send_init(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Startall(int count, MPI_Request *requests);
int MPI_Request_free(MPI_Request *request);
int MPI_Cancel(MPI_Request *request);
int MPI_Test_cancelled(MPI_Status *status, int *flag);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);
int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status);
int MPI_Waitsome(int count, MPI_Request *requests, int *completed, int *indices, MPI_Status *statuses);

/* Collectives. */
int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Gather(void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type, int root,
               MPI_Comm comm);
int MPI_Scatter(void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type, int root,
                MPI_Comm comm);
int MPI_Allgather(void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
                  MPI_Comm comm);
int MPI_Alltoall(void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
                 MPI_Comm comm);
int MPI_Gatherv(void *out, int out_count, MPI_Datatype out_type, void *in, int *in_counts, int *displacements,
                MPI_Datatype in_type, int root, MPI_Comm comm);
int MPI_Reduce(void *out, void *in, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int MPI_Allreduce(void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Scan(void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op);
int MPI_Op_free(MPI_Op *op);

#ifdef __cplusplus
}
#endif
#endif
