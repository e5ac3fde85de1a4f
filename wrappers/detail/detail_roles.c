#include "wrappers/detail/detail_roles.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "pmpi_queries.h"
#include "record/object/object.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"

static const char dots[] = "...";

/* The thread's details, emptied if this is the first of the call. NULL without memory. */
static struct cs_details *begin(struct cs_call *call)
{
    struct cs_thread *thread = call->thread;
    if (!thread->details) {
        thread->details = malloc(sizeof *thread->details);
        if (!thread->details) {
            cs_journal_count_loss(cs_recorder.journal);
            return NULL;
        }
    }
    thread->details->bytes = 0;
    call->details = thread->details;
    return thread->details;
}

static inline struct cs_details *details_of(struct cs_call *call)
{
    return call->details ? call->thread->details : begin(call);
}

static inline size_t words_of(size_t bytes)
{
    return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

uint64_t *cs_detail_item(struct cs_call *call, enum cs_detail_key key, enum cs_detail_form form, size_t words)
{
    struct cs_details *details = details_of(call);
    if (!details)
        return NULL;
    size_t at = details->bytes / sizeof(uint64_t);
    if (at + 1 + words > CS_DETAIL_WORDS)
        return NULL;
    struct cs_detail head = {
        .key = (uint16_t)key, .form = (uint16_t)form, .bytes = (uint32_t)(words * sizeof(uint64_t))};
    memcpy(&details->words[at], &head, sizeof head);
    details->bytes += (uint32_t)((1 + words) * sizeof(uint64_t));
    return &details->words[at + 1];
}

/* Bytes left for the values of one more item. */
static size_t room_of(struct cs_call *call)
{
    struct cs_details *details = details_of(call);
    size_t left = details ? sizeof details->words - details->bytes : 0;
    return left > sizeof(struct cs_detail) ? left - sizeof(struct cs_detail) : 0;
}

void cs_detail_integer(struct cs_call *call, enum cs_detail_key key, int64_t value)
{
    uint64_t *words = cs_detail_item(call, key, CS_DETAIL_INTEGER, 1);
    if (words)
        *words = (uint64_t)value;
}

static inline int64_t value_at(struct cs_integers values, size_t i)
{
    return values.bytes == sizeof(int) ? ((const int *)values.values)[i] : ((const int64_t *)values.values)[i];
}

static_assert(sizeof(MPI_Aint) == sizeof(int64_t) && sizeof(MPI_Count) == sizeof(int64_t),
              "struct cs_integers knows int and int64_t");

void cs_detail_integers(struct cs_call *call, enum cs_detail_key key, MPI_Count count, struct cs_integers values)
{
    size_t kept = cs_detail_kept(count);
    uint64_t *words = cs_detail_item(call, key, CS_DETAIL_INTEGERS, 1 + kept);
    if (!words)
        return;
    words[0] = (uint64_t)count;
    for (size_t i = 0; i < kept; i++)
        words[1 + i] = (uint64_t)value_at(values, i);
}

void cs_detail_types(struct cs_call *call, enum cs_detail_key key, MPI_Count count, struct cs_types types)
{
    size_t kept = cs_detail_kept(count);
    uint64_t *words = cs_detail_item(call, key, CS_DETAIL_OBJECTS, 1 + kept);
    if (!words)
        return;
    words[0] = (uint64_t)count;
    for (size_t i = 0; i < kept; i++) {
        const struct callsign_record *type = cs_type_record(cs_type_at(types, (MPI_Count)i));
        words[1 + i] = type ? type->id : 0;
    }
}

/* ---- texts ---- */

/* Copies a text, cut at its end, or at its beginning if the end matters more. */
static void copy(char *to, size_t room, const char *text, size_t length, bool from_end)
{
    if (length < room) {
        memcpy(to, text, length);
        to[length] = '\0';
        return;
    }
    size_t fits = room - sizeof dots;
    if (from_end) {
        while (fits > 0 && cs_utf8_continues(text[length - fits]))
            fits--;
        memcpy(to, dots, sizeof dots - 1);
        memcpy(to + sizeof dots - 1, text + length - fits, fits);
        to[sizeof dots - 1 + fits] = '\0';
    } else {
        fits = cs_utf8_cut(text, fits);
        memcpy(to, text, fits);
        memcpy(to + fits, dots, sizeof dots);
    }
}

static void tell_text(struct cs_call *call, enum cs_detail_key key, const char *text, size_t length, bool from_end)
{
    size_t room = room_of(call);
    size_t bytes = length + 1 <= room ? length + 1 : room;
    if (bytes < sizeof(uint64_t))
        bytes = sizeof(uint64_t);
    if (bytes > room)
        return;
    size_t words = words_of(bytes);
    uint64_t *to = cs_detail_item(call, key, CS_DETAIL_TEXT, words);
    if (!to)
        return;
    to[words - 1] = 0;
    copy((char *)to, words * sizeof *to, text, length, from_end);
}

void cs_detail_text(struct cs_call *call, enum cs_detail_key key, const char *text)
{
    if (text)
        tell_text(call, key, text, strlen(text), false);
}

void cs_detail_path(struct cs_call *call, enum cs_detail_key key, const char *path)
{
    if (path)
        tell_text(call, key, path, strlen(path), true);
}

/* Removes blanks at both ends, like the MPI does with a character argument. */
static const char *trimmed(const char *text, size_t *length)
{
    while (*length > 0 && text[*length - 1] == ' ')
        --*length;
    while (*length > 0 && *text == ' ') {
        text++;
        --*length;
    }
    return text;
}

void cs_detail_text_fortran(struct cs_call *call, enum cs_detail_key key, const char *text, size_t length)
{
    text = trimmed(text, &length);
    tell_text(call, key, text, length, false);
}

void cs_detail_path_fortran(struct cs_call *call, enum cs_detail_key key, const char *path, size_t length)
{
    path = trimmed(path, &length);
    tell_text(call, key, path, length, true);
}

/* ---- several strings in one item ---- */

static struct cs_detail_strings begin_strings(struct cs_call *call, bool counted, int64_t count)
{
    struct cs_detail_strings strings = {.room = room_of(call)};
    struct cs_details *details = details_of(call);
    if (!details || strings.room < 2 * sizeof(int64_t))
        return (struct cs_detail_strings){0};
    strings.to = (char *)details->words + details->bytes + sizeof(struct cs_detail);
    if (counted) {
        memcpy(strings.to, &count, sizeof count);
        strings.used = sizeof count;
    }
    return strings;
}

static bool add_string(struct cs_detail_strings *strings, const char *text, size_t length)
{
    if (strings->used + length + 1 > strings->room)
        return false;
    memcpy(strings->to + strings->used, text, length);
    strings->used += length;
    strings->to[strings->used++] = '\0';
    return true;
}

/* Ends the item; it is dropped if it does not fit. */
static void end_strings(struct cs_call *call, enum cs_detail_key key, enum cs_detail_form form,
                        const struct cs_detail_strings *strings)
{
    size_t words = words_of(strings->used);
    if (!strings->to || !cs_detail_item(call, key, form, words))
        return;
    memset(strings->to + strings->used, 0, words * sizeof(uint64_t) - strings->used);
}

void cs_detail_texts(struct cs_call *call, enum cs_detail_key key, int count, char *const texts[])
{
    struct cs_detail_strings strings = begin_strings(call, true, count);
    for (size_t i = 0; i < cs_detail_kept(count); i++)
        if (!add_string(&strings, texts[i], strlen(texts[i])))
            break;
    end_strings(call, key, CS_DETAIL_TEXTS, &strings);
}

void cs_detail_texts_fortran(struct cs_call *call, enum cs_detail_key key, int count, const char *texts, size_t length)
{
    struct cs_detail_strings strings = begin_strings(call, true, count);
    for (size_t i = 0; i < cs_detail_kept(count); i++) {
        size_t rest = length;
        const char *text = trimmed(texts + i * length, &rest);
        if (!add_string(&strings, text, rest))
            break;
    }
    end_strings(call, key, CS_DETAIL_TEXTS, &strings);
}

/* ---- arguments whose meaning the MPI must be asked for ---- */

bool cs_at_root(struct cs_call *call, int root)
{
    return call->on && call->on->rank == root;
}

/* ---- hints ---- */

/* Adds the value of one key. Returns false if it does not fit. */
static bool add_value(struct cs_detail_strings *strings, MPI_Info info, const char *name)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;
    cs_mpi_Info_get(info, name, MPI_MAX_INFO_VAL, value, &found);
    return add_string(strings, value, found ? strnlen(value, MPI_MAX_INFO_VAL) : 0);
}

void cs_detail_info(struct cs_call *call, enum cs_detail_key key, MPI_Info info)
{
    int count = 0;
    if (info == MPI_INFO_NULL || cs_mpi_Info_get_nkeys(info, &count) != MPI_SUCCESS || count == 0)
        return;
    struct cs_detail_strings strings = begin_strings(call, false, 0);
    for (int i = 0; strings.to && i < count; i++) {
        char name[MPI_MAX_INFO_KEY + 1] = "";
        size_t before = strings.used;
        if (cs_mpi_Info_get_nthkey(info, i, name) != MPI_SUCCESS || !*name)
            continue;
        if (add_string(&strings, name, strnlen(name, MPI_MAX_INFO_KEY)) && add_value(&strings, info, name))
            continue;
        strings.used = before;
        break;
    }
    end_strings(call, key, CS_DETAIL_PAIRS, &strings);
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
    struct cs_detail_strings strings = begin_strings(call, true, count);
    for (size_t i = 0; i < cs_detail_kept(count); i++) {
        const char *word = WORD_FOR(words, distribs[i]);
        if (!word)
            word = "?";
        if (!add_string(&strings, word, strlen(word)))
            break;
    }
    end_strings(call, key, CS_DETAIL_TEXTS, &strings);
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
