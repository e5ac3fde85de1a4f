/* The part of languages.F90 that is written in C. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void c_version(void);
void c_names(int comm, const char *name);
int c_name(int comm, char *name);
intptr_t c_reads(int comm, int keyval, int what);
intptr_t c_sets(int comm, int keyval);
int c_makes_keyval(void);

void c_version(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n,")] = '\0';
    printf("mpi %s\n", version);
    fflush(stdout);
}

void c_names(int comm, const char *name)
{
    MPI_Comm_set_name(MPI_Comm_f2c(comm), name);
}

/* Its length. */
int c_name(int comm, char *name)
{
    char found[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    MPI_Comm_get_name(MPI_Comm_f2c(comm), found, &length);
    memcpy(name, found, (size_t)length);
    return length;
}

/* The value of an attribute in C: itself (0), or its target: an int (1), an MPI_Aint (2). -999: none. */
intptr_t c_reads(int comm, int keyval, int what)
{
    void *value = NULL;
    int flag = 0;
    MPI_Comm_get_attr(MPI_Comm_f2c(comm), keyval, &value, &flag);
    return !flag ? -999 : what == 0 ? (intptr_t)value : what == 1 ? *(int *)value : (intptr_t) * (MPI_Aint *)value;
}

/* The address that it sets. */
intptr_t c_sets(int comm, int keyval)
{
    static int kept;
    MPI_Comm_set_attr(MPI_Comm_f2c(comm), keyval, &kept);
    return (intptr_t)&kept;
}

int c_makes_keyval(void)
{
    int keyval = 0;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    return keyval;
}
