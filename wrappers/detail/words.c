/* How objects are made: arguments whose meaning the MPI must be asked for. */
#include "wrappers/detail/detail.h"

#include <stdlib.h>
#include <string.h>

#include "asked.h"

bool cs_at_root(struct cs_call *call, int root)
{
    return call->on && call->on->rank == root;
}

/* ---- hints ---- */

/* The value of one key. False: it does not fit. */
static bool add_value(struct cs_detail_strings *strings, MPI_Info info, const char *name)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;
    cs_mpi_Info_get(info, name, MPI_MAX_INFO_VAL, value, &found);
    return cs_detail_strings_add(strings, value, found ? strnlen(value, MPI_MAX_INFO_VAL) : 0);
}

void cs_detail_info(struct cs_call *call, enum cs_detail_key key, MPI_Info info)
{
    int count = 0;
    if (info == MPI_INFO_NULL || cs_mpi_Info_get_nkeys(info, &count) != MPI_SUCCESS || count == 0)
        return;
    struct cs_detail_strings strings = cs_detail_strings_begin(call, false, 0);
    for (int i = 0; strings.to && i < count; i++) {
        char name[MPI_MAX_INFO_KEY + 1] = "";
        size_t before = strings.used;
        if (cs_mpi_Info_get_nthkey(info, i, name) != MPI_SUCCESS || !*name)
            continue;
        if (cs_detail_strings_add(&strings, name, strnlen(name, MPI_MAX_INFO_KEY)) && add_value(&strings, info, name))
            continue;
        strings.used = before;
        break;
    }
    cs_detail_strings_end(call, key, CS_DETAIL_PAIRS, &strings);
}

/* ---- topologies ---- */

void cs_detail_remain_dims(struct cs_call *call, enum cs_detail_key key, MPI_Comm comm, struct cs_integers values)
{
    int dimensions = 0;
    if (cs_mpi_Cartdim_get(comm, &dimensions) == MPI_SUCCESS)
        cs_detail_integers(call, key, dimensions, values);
}

void cs_detail_edges(struct cs_call *call, enum cs_detail_key key, int nodes, const int index[], const int edges[])
{
    cs_detail_integers(call, key, nodes > 0 ? index[nodes - 1] : 0, cs_integers_int(edges));
}

void cs_detail_destinations(struct cs_call *call, enum cs_detail_key key, int count, const int degrees[],
                            const int destinations[])
{
    MPI_Count all = 0;
    for (int i = 0; i < count; i++)
        all += degrees[i];
    cs_detail_integers(call, key, all, cs_integers_int(destinations));
}

/* ---- constants ---- */

struct word {
    int value;
    const char *text;
};

static const char *word_for(const struct word *words, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (words[i].value == value)
            return words[i].text;
    return NULL;
}
#define WORD_FOR(words, value) word_for(words, sizeof(words) / sizeof *(words), value)

static void tell_word(struct cs_call *call, enum cs_detail_key key, const char *word, int value)
{
    if (word)
        cs_detail_text(call, key, word);
    else
        cs_detail_integer(call, key, value);
}

void cs_detail_split_type(struct cs_call *call, enum cs_detail_key key, int split_type)
{
    static const struct word words[] = {
        {MPI_COMM_TYPE_SHARED, "shared"},
#if defined(MPI_COMM_TYPE_HW_GUIDED) || MPI_VERSION >= 4
        {MPI_COMM_TYPE_HW_GUIDED, "hw_guided"},
#endif
#if defined(MPI_COMM_TYPE_HW_UNGUIDED) || MPI_VERSION >= 4
        {MPI_COMM_TYPE_HW_UNGUIDED, "hw_unguided"},
#endif
#if defined(OPEN_MPI)
        {OMPI_COMM_TYPE_HWTHREAD, "hwthread"},
        {OMPI_COMM_TYPE_CORE, "core"},
        {OMPI_COMM_TYPE_L1CACHE, "l1cache"},
        {OMPI_COMM_TYPE_L2CACHE, "l2cache"},
        {OMPI_COMM_TYPE_L3CACHE, "l3cache"},
        {OMPI_COMM_TYPE_SOCKET, "socket"},
        {OMPI_COMM_TYPE_NUMA, "numa"},
        {OMPI_COMM_TYPE_BOARD, "board"},
        {OMPI_COMM_TYPE_HOST, "host"},
        {OMPI_COMM_TYPE_CU, "cu"},
        {OMPI_COMM_TYPE_CLUSTER, "cluster"},
#endif
    };
    tell_word(call, key, WORD_FOR(words, split_type), split_type);
}

void cs_detail_order(struct cs_call *call, enum cs_detail_key key, int order)
{
    static const struct word words[] = {{MPI_ORDER_C, "C"}, {MPI_ORDER_FORTRAN, "Fortran"}};
    tell_word(call, key, WORD_FOR(words, order), order);
}

void cs_detail_amode(struct cs_call *call, enum cs_detail_key key, int amode)
{
    static const struct word words[] = {
        {MPI_MODE_CREATE, "create"},
        {MPI_MODE_EXCL, "excl"},
        {MPI_MODE_RDONLY, "rdonly"},
        {MPI_MODE_WRONLY, "wronly"},
        {MPI_MODE_RDWR, "rdwr"},
        {MPI_MODE_APPEND, "append"},
        {MPI_MODE_DELETE_ON_CLOSE, "delete_on_close"},
        {MPI_MODE_UNIQUE_OPEN, "unique_open"},
        {MPI_MODE_SEQUENTIAL, "sequential"},
    };
    char text[128] = "";
    size_t length = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!(amode & words[i].value))
            continue;
        if (length)
            text[length++] = '|';
        strcpy(text + length, words[i].text); /* all together are shorter */
        length += strlen(words[i].text);
    }
    cs_detail_text(call, key, text);
}

void cs_detail_distribs(struct cs_call *call, enum cs_detail_key key, int count, const int distribs[])
{
    static const struct word words[] = {
        {MPI_DISTRIBUTE_BLOCK, "block"}, {MPI_DISTRIBUTE_CYCLIC, "cyclic"}, {MPI_DISTRIBUTE_NONE, "none"}};
    struct cs_detail_strings strings = cs_detail_strings_begin(call, true, count);
    for (size_t i = 0; i < cs_detail_kept(count); i++) {
        const char *word = WORD_FOR(words, distribs[i]);
        if (!word)
            word = "?";
        if (!cs_detail_strings_add(&strings, word, strlen(word)))
            break;
    }
    cs_detail_strings_end(call, key, CS_DETAIL_TEXTS, &strings);
}

void cs_detail_dargs(struct cs_call *call, enum cs_detail_key key, int count, const int dargs[])
{
    size_t kept = cs_detail_kept(count);
    uint64_t *words = cs_detail_item(call, key, CS_DETAIL_INTEGERS, 1 + kept);
    if (!words)
        return;
    words[0] = (uint64_t)count;
    for (size_t i = 0; i < kept; i++)
        words[1 + i] = (uint64_t)(dargs[i] == MPI_DISTRIBUTE_DFLT_DARG ? CS_DETAIL_DEFAULT : (int64_t)dargs[i]);
}
