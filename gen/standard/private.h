/* Names of the standard that callsign's sources use and a small mpi.h may lack. Only callsign sees them: no program
   has a handle with such a value, and no argument has such a constant. gen/standard/README.md explains how
   gen/standard/__init__.py takes what an mpi.h lacks. */

#define MPI_VERSION 1

typedef int MPI_Fint;
typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;

typedef struct cs_absent_win *MPI_Win;
typedef struct cs_absent_file *MPI_File;
typedef struct cs_absent_info *MPI_Info;
typedef struct cs_absent_session *MPI_Session;
typedef struct cs_absent_message *MPI_Message;
typedef struct cs_absent_errhandler *MPI_Errhandler;

#define MPI_COMM_SELF        MPI_COMM_NULL
#define MPI_GROUP_NULL       ((MPI_Group)0)
#define MPI_GROUP_EMPTY      ((MPI_Group)0)
#define MPI_OP_NULL          ((MPI_Op)0)
#define MPI_WIN_NULL         ((MPI_Win)0)
#define MPI_FILE_NULL        ((MPI_File)0)
#define MPI_INFO_NULL        ((MPI_Info)0)
#define MPI_INFO_ENV         ((MPI_Info)0)
#define MPI_MESSAGE_NULL     ((MPI_Message)0)
#define MPI_MESSAGE_NO_PROC  ((MPI_Message)0)
#define MPI_ERRHANDLER_NULL  ((MPI_Errhandler)0)
#define MPI_ERRORS_ARE_FATAL MPI_ERRHANDLER_NULL
#define MPI_ERRORS_RETURN    MPI_ERRHANDLER_NULL

/* Addresses that no program passes. */
#define MPI_IN_PLACE          ((void *)-1)
#define MPI_UNWEIGHTED        ((int *)-1)
#define MPI_STATUS_IGNORE     ((MPI_Status *)-1)
#define MPI_STATUSES_IGNORE   ((MPI_Status *)-1)
#define MPI_F_STATUS_IGNORE   ((MPI_Fint *)-1)
#define MPI_F_STATUSES_IGNORE ((MPI_Fint *)-1)

/* Predefined datatypes and operations. */
#define MPI_CHAR                  MPI_DATATYPE_NULL
#define MPI_SIGNED_CHAR           MPI_DATATYPE_NULL
#define MPI_UNSIGNED_CHAR         MPI_DATATYPE_NULL
#define MPI_BYTE                  MPI_DATATYPE_NULL
#define MPI_WCHAR                 MPI_DATATYPE_NULL
#define MPI_SHORT                 MPI_DATATYPE_NULL
#define MPI_UNSIGNED_SHORT        MPI_DATATYPE_NULL
#define MPI_INT                   MPI_DATATYPE_NULL
#define MPI_UNSIGNED              MPI_DATATYPE_NULL
#define MPI_LONG                  MPI_DATATYPE_NULL
#define MPI_UNSIGNED_LONG         MPI_DATATYPE_NULL
#define MPI_LONG_LONG             MPI_DATATYPE_NULL
#define MPI_LONG_LONG_INT         MPI_DATATYPE_NULL
#define MPI_UNSIGNED_LONG_LONG    MPI_DATATYPE_NULL
#define MPI_FLOAT                 MPI_DATATYPE_NULL
#define MPI_DOUBLE                MPI_DATATYPE_NULL
#define MPI_LONG_DOUBLE           MPI_DATATYPE_NULL
#define MPI_INT8_T                MPI_DATATYPE_NULL
#define MPI_INT16_T               MPI_DATATYPE_NULL
#define MPI_INT32_T               MPI_DATATYPE_NULL
#define MPI_INT64_T               MPI_DATATYPE_NULL
#define MPI_UINT8_T               MPI_DATATYPE_NULL
#define MPI_UINT16_T              MPI_DATATYPE_NULL
#define MPI_UINT32_T              MPI_DATATYPE_NULL
#define MPI_UINT64_T              MPI_DATATYPE_NULL
#define MPI_C_BOOL                MPI_DATATYPE_NULL
#define MPI_C_COMPLEX             MPI_DATATYPE_NULL
#define MPI_C_FLOAT_COMPLEX       MPI_DATATYPE_NULL
#define MPI_C_DOUBLE_COMPLEX      MPI_DATATYPE_NULL
#define MPI_C_LONG_DOUBLE_COMPLEX MPI_DATATYPE_NULL
#define MPI_AINT                  MPI_DATATYPE_NULL
#define MPI_COUNT                 MPI_DATATYPE_NULL
#define MPI_OFFSET                MPI_DATATYPE_NULL
#define MPI_PACKED                MPI_DATATYPE_NULL
#define MPI_FLOAT_INT             MPI_DATATYPE_NULL
#define MPI_DOUBLE_INT            MPI_DATATYPE_NULL
#define MPI_LONG_INT              MPI_DATATYPE_NULL
#define MPI_2INT                  MPI_DATATYPE_NULL
#define MPI_SHORT_INT             MPI_DATATYPE_NULL
#define MPI_LONG_DOUBLE_INT       MPI_DATATYPE_NULL
#define MPI_CHARACTER             MPI_DATATYPE_NULL
#define MPI_LOGICAL               MPI_DATATYPE_NULL
#define MPI_INTEGER               MPI_DATATYPE_NULL
#define MPI_REAL                  MPI_DATATYPE_NULL
#define MPI_DOUBLE_PRECISION      MPI_DATATYPE_NULL
#define MPI_COMPLEX               MPI_DATATYPE_NULL
#define MPI_DOUBLE_COMPLEX        MPI_DATATYPE_NULL
#define MPI_2INTEGER              MPI_DATATYPE_NULL
#define MPI_2REAL                 MPI_DATATYPE_NULL
#define MPI_2DOUBLE_PRECISION     MPI_DATATYPE_NULL
#define MPI_INTEGER2              MPI_DATATYPE_NULL
#define MPI_INTEGER4              MPI_DATATYPE_NULL
#define MPI_INTEGER8              MPI_DATATYPE_NULL
#define MPI_REAL4                 MPI_DATATYPE_NULL
#define MPI_REAL8                 MPI_DATATYPE_NULL
#define MPI_COMPLEX8              MPI_DATATYPE_NULL
#define MPI_COMPLEX16             MPI_DATATYPE_NULL
#define MPI_MAX                   MPI_OP_NULL
#define MPI_MIN                   MPI_OP_NULL
#define MPI_SUM                   MPI_OP_NULL
#define MPI_PROD                  MPI_OP_NULL
#define MPI_LAND                  MPI_OP_NULL
#define MPI_BAND                  MPI_OP_NULL
#define MPI_LOR                   MPI_OP_NULL
#define MPI_BOR                   MPI_OP_NULL
#define MPI_LXOR                  MPI_OP_NULL
#define MPI_BXOR                  MPI_OP_NULL
#define MPI_MAXLOC                MPI_OP_NULL
#define MPI_MINLOC                MPI_OP_NULL
#define MPI_REPLACE               MPI_OP_NULL
#define MPI_NO_OP                 MPI_OP_NULL

/* Sizes. */
#define MPI_MAX_ERROR_STRING           512
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_INFO_KEY               255
#define MPI_MAX_INFO_VAL               1024
#define MPI_MAX_PORT_NAME              256

/* Constants for arguments and results of calls. */
#define MPI_THREAD_SINGLE             0
#define MPI_THREAD_FUNNELED           1
#define MPI_THREAD_SERIALIZED         2
#define MPI_THREAD_MULTIPLE           3
#define MPI_ROOT                      (-0x24000100)
#define MPI_GRAPH                     (-0x24000101)
#define MPI_CART                      (-0x24000102)
#define MPI_DIST_GRAPH                (-0x24000103)
#define MPI_COMM_TYPE_SHARED          (-0x24000104)
#define MPI_ORDER_C                   (-0x24000105)
#define MPI_ORDER_FORTRAN             (-0x24000106)
#define MPI_DISTRIBUTE_BLOCK          (-0x24000107)
#define MPI_DISTRIBUTE_CYCLIC         (-0x24000108)
#define MPI_DISTRIBUTE_NONE           (-0x24000109)
#define MPI_DISTRIBUTE_DFLT_DARG      (-0x2400010a)
#define MPI_IDENT                     (-0x2400010b)
#define MPI_CONGRUENT                 (-0x2400010c)
#define MPI_SIMILAR                   (-0x2400010d)
#define MPI_UNEQUAL                   (-0x2400010e)
#define MPI_COMBINER_NAMED            (-0x2400010f)
#define MPI_COMBINER_DUP              (-0x24000110)
#define MPI_COMBINER_CONTIGUOUS       (-0x24000111)
#define MPI_COMBINER_VECTOR           (-0x24000112)
#define MPI_COMBINER_HVECTOR          (-0x24000113)
#define MPI_COMBINER_INDEXED          (-0x24000114)
#define MPI_COMBINER_HINDEXED         (-0x24000115)
#define MPI_COMBINER_INDEXED_BLOCK    (-0x24000116)
#define MPI_COMBINER_HINDEXED_BLOCK   (-0x24000117)
#define MPI_COMBINER_STRUCT           (-0x24000118)
#define MPI_COMBINER_SUBARRAY         (-0x24000119)
#define MPI_COMBINER_DARRAY           (-0x2400011a)
#define MPI_COMBINER_F90_REAL         (-0x2400011b)
#define MPI_COMBINER_F90_COMPLEX      (-0x2400011c)
#define MPI_COMBINER_F90_INTEGER      (-0x2400011d)
#define MPI_COMBINER_RESIZED          (-0x2400011e)
#define MPI_ERR_BUFFER                (-0x2400011f)
#define MPI_ERR_COUNT                 (-0x24000120)
#define MPI_ERR_TYPE                  (-0x24000121)
#define MPI_ERR_TAG                   (-0x24000122)
#define MPI_ERR_COMM                  (-0x24000123)
#define MPI_ERR_RANK                  (-0x24000124)
#define MPI_ERR_REQUEST               (-0x24000125)
#define MPI_ERR_ROOT                  (-0x24000126)
#define MPI_ERR_GROUP                 (-0x24000127)
#define MPI_ERR_OP                    (-0x24000128)
#define MPI_ERR_TOPOLOGY              (-0x24000129)
#define MPI_ERR_DIMS                  (-0x2400012a)
#define MPI_ERR_ARG                   (-0x2400012b)
#define MPI_ERR_UNKNOWN               (-0x2400012c)
#define MPI_ERR_TRUNCATE              (-0x2400012d)
#define MPI_ERR_INTERN                (-0x2400012e)
#define MPI_ERR_IN_STATUS             (-0x2400012f)
#define MPI_ERR_PENDING               (-0x24000130)
#define MPI_ERR_NO_MEM                (-0x24000131)
#define MPI_ERR_INFO                  (-0x24000132)
#define MPI_ERR_NAME                  (-0x24000133)
#define MPI_ERR_NO_SPACE              (-0x24000134)
#define MPI_ERR_UNSUPPORTED_OPERATION (-0x24000135)
#define MPI_LOCK_EXCLUSIVE            (-0x24000136)
#define MPI_MODE_NOCHECK              0
#define MPI_MODE_NOPRECEDE            0
#define MPI_MODE_NOSUCCEED            0
#define MPI_MODE_CREATE               0
#define MPI_MODE_EXCL                 0
#define MPI_MODE_RDONLY               0
#define MPI_MODE_WRONLY               0
#define MPI_MODE_RDWR                 0
#define MPI_MODE_APPEND               0
#define MPI_MODE_DELETE_ON_CLOSE      0
#define MPI_MODE_UNIQUE_OPEN          0
#define MPI_MODE_SEQUENTIAL           0

/* Functions that callsign calls: gen/standard/pmpi_queries.txt. */
int MPI_Initialized(int *flag);
int MPI_Finalized(int *flag);
int MPI_Query_thread(int *provided);
int MPI_Is_thread_main(int *flag);
int MPI_Abort(MPI_Comm comm, int errorcode);
int MPI_Get_library_version(char *version, int *resultlen);
int MPI_Error_class(int errorcode, int *errorclass);
int MPI_Error_string(int errorcode, char *string, int *resultlen);

int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_test_inter(MPI_Comm comm, int *flag);
int MPI_Comm_remote_size(MPI_Comm comm, int *size);
int MPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group);
int MPI_Comm_get_parent(MPI_Comm *parent);
int MPI_Topo_test(MPI_Comm comm, int *status);
int MPI_Cartdim_get(MPI_Comm comm, int *ndims);
int MPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest);
int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors);
int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted);

int MPI_Group_size(MPI_Group group, int *size);
int MPI_Group_rank(MPI_Group group, int *rank);
int MPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]);
int MPI_Group_free(MPI_Group *group);
int MPI_Group_from_session_pset(MPI_Session session, const char *pset_name, MPI_Group *newgroup);

int MPI_Type_size(MPI_Datatype datatype, int *size);
int MPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size);
int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent);
int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement);
int MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent);
int MPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent);
int MPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent);
int MPI_Type_get_envelope(MPI_Datatype datatype, int *num_integers, int *num_addresses, int *num_datatypes,
                          int *combiner);
int MPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses,
                            MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner);
int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes,
                          int array_of_integers[], MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[]);
int MPI_Type_free(MPI_Datatype *datatype);

int MPI_Win_get_group(MPI_Win win, MPI_Group *group);
int MPI_Win_call_errhandler(MPI_Win win, int errorcode);
int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *errhandler);
int MPI_Errhandler_free(MPI_Errhandler *errhandler);
int MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode);

int MPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag);
int MPI_Info_get_nkeys(MPI_Info info, int *nkeys);
int MPI_Info_get_nthkey(MPI_Info info, int n, char *key);

int MPI_Test_cancelled(const MPI_Status *status, int *flag);
int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count);
int MPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count);
int MPI_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count);
int MPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count);
int MPI_Status_set_cancelled(MPI_Status *status, int flag);
int MPI_Status_c2f(const MPI_Status *c_status, MPI_Fint *f_status);
int MPI_Status_f2c(const MPI_Fint *f_status, MPI_Status *c_status);

MPI_Fint MPI_Comm_c2f(MPI_Comm comm);
MPI_Comm MPI_Comm_f2c(MPI_Fint comm);
MPI_Fint MPI_Type_c2f(MPI_Datatype datatype);
MPI_Datatype MPI_Type_f2c(MPI_Fint datatype);
MPI_Fint MPI_Group_c2f(MPI_Group group);
MPI_Group MPI_Group_f2c(MPI_Fint group);
MPI_Fint MPI_Request_c2f(MPI_Request request);
MPI_Request MPI_Request_f2c(MPI_Fint request);
MPI_File MPI_File_f2c(MPI_Fint file);
MPI_Fint MPI_Win_c2f(MPI_Win win);
MPI_Win MPI_Win_f2c(MPI_Fint win);
MPI_Fint MPI_Op_c2f(MPI_Op op);
MPI_Op MPI_Op_f2c(MPI_Fint op);
MPI_Fint MPI_Info_c2f(MPI_Info info);
MPI_Info MPI_Info_f2c(MPI_Fint info);
MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler errhandler);
MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint errhandler);
MPI_Message MPI_Message_f2c(MPI_Fint message);
MPI_Session MPI_Session_f2c(MPI_Fint session);
