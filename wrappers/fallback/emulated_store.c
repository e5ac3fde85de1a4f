#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Handles are addresses or small numbers, and keyvals are consecutive. One multiplication spreads them, at a third
   of the cost of uthash's own hash. */
#define HASH_FUNCTION(key, bytes, hash) (hash) = spread((key), (bytes))
static unsigned spread(const void *key, size_t bytes)
{
    unsigned long long words[2] = {0, 0}, mixed;
    memcpy(words, key, bytes);
    mixed = (words[0] * 0x9E3779B97F4A7C15ull) ^ (words[1] * 0xC2B2AE3D27D4EB4Full);
    return (unsigned)(mixed ^ mixed >> 32);
}

#include "wrappers/fallback/emulated_store.h"

#include <utlist.h>

/* One lock for everything. It is never held across callbacks of the program or MPI calls. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- keyvals ---- */

enum { FIRST = 0x3C000000, LAST = 0x3FFFFFFE };

static struct cs_emulated_keyval *keyvals;
static int last_number = FIRST - 1;

bool cs_emulated_keyval_is(int number)
{
    return number >= FIRST && number <= LAST;
}

static struct cs_emulated_keyval *numbered(int number)
{
    struct cs_emulated_keyval *found;
    HASH_FIND_INT(keyvals, &number, found);
    return found;
}

/* A number is reused only after all others: use of a freed keyval is then an error for a long time. */
static bool next_number(int *number)
{
    if (HASH_COUNT(keyvals) > (unsigned)(LAST - FIRST))
        return false;
    do
        last_number = last_number == LAST ? FIRST : last_number + 1;
    while (numbered(last_number));
    *number = last_number;
    return true;
}

static struct cs_emulated_keyval *make_keyval(enum callsign_kind kind, const struct cs_emulated_callbacks *callbacks)
{
    struct cs_emulated_keyval *made = calloc(1, sizeof *made);
    if (!made || !next_number(&made->number)) {
        free(made);
        return NULL;
    }
    made->kind = kind;
    made->references = 1;
    made->callbacks = *callbacks;
    CS_TABLE_ADD(keyvals, number, made);
    if (!made)
        return NULL;
    return made;
}

static struct cs_emulated_keyval *find_keyval(enum callsign_kind kind, int number)
{
    struct cs_emulated_keyval *found = cs_emulated_keyval_is(number) ? numbered(number) : NULL;
    return found && found->kind == kind ? found : NULL;
}

static void release_keyval(struct cs_emulated_keyval *keyval)
{
    if (--keyval->references)
        return;
    HASH_DELETE(hh, keyvals, keyval);
    free(keyval);
}

/* ---- objects and their attributes ---- */

struct attribute_key {
    uint64_t object; /* handle */
    uint64_t keyval; /* the keyval's number; differs between kinds of objects, whose handles may be equal */
};

struct attribute {
    struct attribute_key key;
    struct cs_emulated_value value;
    uint64_t sequence; /* number of the call that set it */
    bool busy;         /* its delete callback is running */
    struct cs_emulated_keyval *keyval;
    struct cs_emulated_object *object;
    struct attribute *prev, *next; /* in the order of setting */
    UT_hash_handle hh;
};

struct cs_emulated_object {
    uint64_t handle;
    enum callsign_kind kind;
    uint32_t references; /* further references, which the program frees one by one (MPI_Type_get_contents) */
    size_t attribute_count;
    char *name;                        /* NULL: no name was set */
    struct cs_emulated_window *window; /* NULL: the MPI knows the window's attributes */
    struct attribute *attributes;
    UT_hash_handle hh;
};

static_assert(sizeof(struct attribute_key) == 16, "hashed as raw bytes: no padding");

static struct cs_emulated_object *objects[CALLSIGN_KINDS];
static struct attribute *attributes;
static uint64_t last_sequence;

static struct cs_emulated_object *find_object(enum callsign_kind kind, uint64_t handle)
{
    struct cs_emulated_object *found;
    HASH_FIND(hh, objects[kind], &handle, sizeof handle, found);
    return found;
}

static bool link_object(struct cs_emulated_object *object)
{
    HASH_ADD(hh, objects[object->kind], handle, sizeof object->handle, object);
    return object->hh.tbl != NULL;
}

static struct cs_emulated_object *make_object(enum callsign_kind kind, uint64_t handle)
{
    struct cs_emulated_object *made = find_object(kind, handle);
    if (made)
        return made;
    made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->handle = handle;
    made->kind = kind;
    if (link_object(made))
        return made;
    free(made);
    return NULL;
}

static void unlink_object(struct cs_emulated_object *object)
{
    HASH_DELETE(hh, objects[object->kind], object);
}

static void discard_object(struct cs_emulated_object *object)
{
    if (!object)
        return;
    free(object->name);
    free(object->window);
    free(object);
}

static void drop_empty(struct cs_emulated_object *object)
{
    if (object->name || object->window || object->attributes || object->references)
        return;
    unlink_object(object);
    discard_object(object);
}

static struct attribute *find_attribute(enum callsign_kind kind, uint64_t handle, int keyval)
{
    struct attribute_key key = {handle, (unsigned)keyval};
    struct attribute *found;
    HASH_FIND(hh, attributes, &key, sizeof key, found);
    return found && found->keyval->kind == kind ? found : NULL;
}

static struct attribute *find_same(enum callsign_kind kind, struct attribute_key key, uint64_t sequence)
{
    struct attribute *found = find_attribute(kind, key.object, (int)key.keyval);
    return found && found->sequence == sequence ? found : NULL;
}

static struct attribute *make_attribute(struct cs_emulated_object *object, struct cs_emulated_keyval *keyval)
{
    struct attribute *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->key = (struct attribute_key){object->handle, (unsigned)keyval->number};
    CS_TABLE_ADD(attributes, key, made);
    if (!made)
        return NULL;
    made->object = object;
    made->keyval = keyval;
    keyval->references++;
    DL_APPEND(object->attributes, made);
    object->attribute_count++;
    return made;
}

static void set_value(struct attribute *attribute, struct cs_emulated_value value)
{
    struct cs_emulated_object *object = attribute->object;
    attribute->value = value;
    attribute->sequence = ++last_sequence;
    attribute->busy = false;
    DL_DELETE(object->attributes, attribute);
    DL_APPEND(object->attributes, attribute);
}

static bool put_attribute(struct cs_emulated_keyval *keyval, uint64_t handle, struct cs_emulated_value value)
{
    struct attribute *attribute = find_attribute(keyval->kind, handle, keyval->number);
    if (!attribute) {
        struct cs_emulated_object *object = make_object(keyval->kind, handle);
        attribute = object ? make_attribute(object, keyval) : NULL;
        if (object && !attribute)
            drop_empty(object);
    }
    if (attribute)
        set_value(attribute, value);
    return attribute != NULL;
}

static void remove_attribute(struct attribute *attribute)
{
    DL_DELETE(attribute->object->attributes, attribute);
    attribute->object->attribute_count--;
    HASH_DELETE(hh, attributes, attribute);
    release_keyval(attribute->keyval);
    free(attribute);
}

static const struct cs_emulated_result success = {.outcome = CS_EMULATED_DONE};

/* ---- set, get, delete ---- */

/* A delete callback may set its attribute again. The call that ran it deletes it this many times, then drops it, so
   that such a callback cannot keep the attribute for ever. */
enum { ROUNDS = 8 };

static struct cs_emulated_result failed(enum cs_emulated_outcome outcome)
{
    return (struct cs_emulated_result){.outcome = outcome};
}

/* ---- callbacks: entered and left with the lock, which they do not hold meanwhile ---- */

/* Runs the delete callback of a value. The attribute may be gone afterwards. */
static int call_delete(struct attribute *attribute)
{
    struct cs_emulated_keyval *keyval = attribute->keyval;
    struct attribute_key key = attribute->key;
    struct cs_emulated_value value = attribute->value;
    uint64_t sequence = attribute->sequence;
    attribute->busy = true;
    keyval->references++;
    pthread_mutex_unlock(&lock);
    int code = keyval->callbacks.call_delete(keyval, key.object, value);
    pthread_mutex_lock(&lock);
    attribute = find_same(keyval->kind, key, sequence);
    if (attribute)
        attribute->busy = false;
    release_keyval(keyval);
    return code;
}

/* ---- keyvals ---- */

enum cs_emulated_outcome cs_emulated_keyval_create(enum callsign_kind kind,
                                                   const struct cs_emulated_callbacks *callbacks, int *number)
{
    pthread_mutex_lock(&lock);
    struct cs_emulated_keyval *made = make_keyval(kind, callbacks);
    if (made)
        *number = made->number;
    pthread_mutex_unlock(&lock);
    return made ? CS_EMULATED_DONE : CS_EMULATED_NO_MEMORY;
}

enum cs_emulated_outcome cs_emulated_keyval_free(enum callsign_kind kind, int number)
{
    pthread_mutex_lock(&lock);
    struct cs_emulated_keyval *keyval = find_keyval(kind, number);
    if (keyval && !keyval->freed) {
        keyval->freed = true;
        release_keyval(keyval);
    }
    pthread_mutex_unlock(&lock);
    return keyval ? CS_EMULATED_DONE : CS_EMULATED_NO_KEYVAL;
}

/* ---- attributes ---- */

/* If the value's callback is running, it is replaced without another callback: that call deletes it already. */
static struct cs_emulated_result replace(struct cs_emulated_keyval *keyval, uint64_t handle,
                                         struct cs_emulated_value value)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct attribute *old = find_attribute(keyval->kind, handle, keyval->number);
        if (!old || old->busy)
            break;
        struct attribute_key key = old->key;
        uint64_t sequence = old->sequence;
        int code = call_delete(old);
        if (code)
            return (struct cs_emulated_result){CS_EMULATED_REFUSED, code};
        if (find_same(keyval->kind, key, sequence))
            break;
    }
    return failed(put_attribute(keyval, handle, value) ? CS_EMULATED_DONE : CS_EMULATED_NO_MEMORY);
}

struct cs_emulated_result cs_emulated_set(enum callsign_kind kind, uint64_t object, int number,
                                          struct cs_emulated_value value)
{
    struct cs_emulated_result result = failed(CS_EMULATED_NO_KEYVAL);
    pthread_mutex_lock(&lock);
    struct cs_emulated_keyval *keyval = find_keyval(kind, number);
    if (keyval) {
        keyval->references++;
        result = replace(keyval, object, value);
        release_keyval(keyval);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

enum cs_emulated_outcome cs_emulated_get(enum callsign_kind kind, uint64_t object, int keyval,
                                         struct cs_emulated_answer *answer)
{
    pthread_mutex_lock(&lock);
    struct attribute *attribute = find_attribute(kind, object, keyval);
    bool known = attribute || find_keyval(kind, keyval);
    answer->found = attribute != NULL;
    if (attribute) {
        answer->value = attribute->value;
        answer->kept = &attribute->value;
    }
    pthread_mutex_unlock(&lock);
    return known ? CS_EMULATED_DONE : CS_EMULATED_NO_KEYVAL;
}

/* Deletes one attribute. A value that its callback sets stays. */
static struct cs_emulated_result remove_one(struct attribute *attribute, bool in_spite)
{
    enum callsign_kind kind = attribute->keyval->kind;
    struct attribute_key key = attribute->key;
    uint64_t sequence = attribute->sequence;
    int code = call_delete(attribute);
    if (code && !in_spite)
        return (struct cs_emulated_result){CS_EMULATED_REFUSED, code};
    attribute = find_same(kind, key, sequence);
    if (attribute) {
        struct cs_emulated_object *object = attribute->object;
        remove_attribute(attribute);
        drop_empty(object);
    }
    return success;
}

struct cs_emulated_result cs_emulated_delete(enum callsign_kind kind, uint64_t object, int keyval)
{
    struct cs_emulated_result result = success;
    pthread_mutex_lock(&lock);
    struct attribute *attribute = find_attribute(kind, object, keyval);
    if (attribute && !attribute->busy)
        result = remove_one(attribute, false);
    else if (!attribute && !find_keyval(kind, keyval))
        result = failed(CS_EMULATED_NO_KEYVAL);
    pthread_mutex_unlock(&lock);
    return result;
}

static struct attribute *newest(enum callsign_kind kind, uint64_t handle)
{
    const struct cs_emulated_object *object = find_object(kind, handle);
    struct attribute *attribute = object && object->attributes ? object->attributes->prev : NULL;
    while (attribute && attribute->busy)
        attribute = attribute == object->attributes ? NULL : attribute->prev;
    return attribute;
}

struct cs_emulated_result cs_emulated_clear(enum callsign_kind kind, uint64_t handle, bool in_spite)
{
    struct cs_emulated_result result = success;
    struct attribute *attribute;
    int round = 0;
    pthread_mutex_lock(&lock);
    uint64_t known = last_sequence;
    while (result.outcome == CS_EMULATED_DONE && (attribute = newest(kind, handle))) {
        if (attribute->sequence > known) {
            if (++round == ROUNDS)
                break;
            known = last_sequence;
        }
        result = remove_one(attribute, in_spite);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* ---- copies for duplicates ---- */

/* Called with the lock held; releases it during the callback. */
static int call_copy(struct cs_emulated_keyval *keyval, uint64_t object, struct cs_emulated_value in,
                     struct cs_emulated_value *out, int *flag)
{
    pthread_mutex_unlock(&lock);
    int code = keyval->callbacks.call_copy(keyval, object, in, out, flag);
    pthread_mutex_lock(&lock);
    return code;
}

struct copy {
    struct cs_emulated_keyval *keyval;
    uint64_t sequence;
    struct cs_emulated_value value;
};
struct cs_emulated_copies {
    size_t count;
    struct copy each[];
};

static void forget(struct cs_emulated_copies *copies)
{
    for (size_t i = 0; i < copies->count; i++)
        release_keyval(copies->each[i].keyval);
    free(copies);
}

static struct cs_emulated_copies *snapshot(const struct cs_emulated_object *object)
{
    struct cs_emulated_copies *copies = malloc(sizeof *copies + object->attribute_count * sizeof *copies->each);
    if (!copies)
        return NULL;
    copies->count = 0;
    for (struct attribute *each = object->attributes; each; each = each->next) {
        if (each->busy)
            continue;
        each->keyval->references++;
        copies->each[copies->count++] = (struct copy){each->keyval, each->sequence, each->value};
    }
    return copies;
}

/* Replaces the values of the snapshot by the callbacks' copies. An attribute that was deleted meanwhile is not
   copied. */
static struct cs_emulated_result copy_all(uint64_t handle, struct cs_emulated_copies *copies)
{
    struct cs_emulated_result result = success;
    size_t kept = 0;
    for (size_t i = 0; i < copies->count; i++) {
        struct copy one = copies->each[i];
        const struct attribute_key key = {handle, (unsigned)one.keyval->number};
        struct cs_emulated_value out = one.value;
        int flag = 0, code = 0;
        if (result.outcome == CS_EMULATED_DONE && find_same(one.keyval->kind, key, one.sequence))
            code = call_copy(one.keyval, handle, one.value, &out, &flag);
        if (code)
            result = (struct cs_emulated_result){CS_EMULATED_REFUSED, code};
        if (code || !flag)
            release_keyval(one.keyval);
        else
            copies->each[kept++] = (struct copy){one.keyval, 0, out};
    }
    copies->count = kept;
    return result;
}

struct cs_emulated_result cs_emulated_copy(enum callsign_kind kind, uint64_t handle, struct cs_emulated_copies **copies)
{
    struct cs_emulated_result result = success;
    *copies = NULL;
    pthread_mutex_lock(&lock);
    const struct cs_emulated_object *object = find_object(kind, handle);
    if (object && object->attributes) {
        *copies = snapshot(object);
        result = *copies ? copy_all(handle, *copies) : (struct cs_emulated_result){.outcome = CS_EMULATED_NO_MEMORY};
        if (*copies && result.outcome != CS_EMULATED_DONE) {
            forget(*copies);
            *copies = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

bool cs_emulated_attach(uint64_t duplicate, struct cs_emulated_copies *copies)
{
    bool all = true;
    if (!copies)
        return true;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < copies->count; i++)
        all &= put_attribute(copies->each[i].keyval, duplicate, copies->each[i].value);
    forget(copies);
    pthread_mutex_unlock(&lock);
    return all;
}

void cs_emulated_copies_drop(struct cs_emulated_copies *copies)
{
    if (!copies)
        return;
    pthread_mutex_lock(&lock);
    forget(copies);
    pthread_mutex_unlock(&lock);
}

/* ---- ends, names, windows ---- */

/* ---- the end of objects ---- */

bool cs_emulated_refer(enum callsign_kind kind, uint64_t handle)
{
    pthread_mutex_lock(&lock);
    struct cs_emulated_object *object = make_object(kind, handle);
    if (object)
        object->references++;
    pthread_mutex_unlock(&lock);
    return object != NULL;
}

bool cs_emulated_unrefer(enum callsign_kind kind, uint64_t handle)
{
    pthread_mutex_lock(&lock);
    struct cs_emulated_object *object = find_object(kind, handle);
    bool refers = object && object->references;
    if (refers) {
        object->references--;
        drop_empty(object);
    }
    pthread_mutex_unlock(&lock);
    return refers;
}

bool cs_emulated_has(enum callsign_kind kind, uint64_t handle)
{
    pthread_mutex_lock(&lock);
    bool has = find_object(kind, handle) != NULL;
    pthread_mutex_unlock(&lock);
    return has;
}

struct cs_emulated_object *cs_emulated_take(enum callsign_kind kind, uint64_t handle)
{
    pthread_mutex_lock(&lock);
    struct cs_emulated_object *object = find_object(kind, handle);
    if (object) {
        while (object->attributes)
            remove_attribute(object->attributes);
        unlink_object(object);
    }
    pthread_mutex_unlock(&lock);
    return object;
}

void cs_emulated_put_back(struct cs_emulated_object *taken)
{
    if (!taken)
        return;
    pthread_mutex_lock(&lock);
    bool linked = !find_object(taken->kind, taken->handle) && link_object(taken);
    pthread_mutex_unlock(&lock);
    if (!linked)
        discard_object(taken);
}

void cs_emulated_drop(struct cs_emulated_object *taken)
{
    discard_object(taken);
}

/* ---- names ---- */

bool cs_emulated_name_set(enum callsign_kind kind, uint64_t handle, const char *name, size_t length)
{
    char *copy = malloc(length + 1);
    if (!copy)
        return false;
    memcpy(copy, name, length);
    copy[length] = '\0';
    pthread_mutex_lock(&lock);
    struct cs_emulated_object *object = make_object(kind, handle);
    if (object) {
        free(object->name);
        object->name = copy;
    }
    pthread_mutex_unlock(&lock);
    if (!object)
        free(copy);
    return object != NULL;
}

bool cs_emulated_name_get(enum callsign_kind kind, uint64_t handle, char *name, size_t bytes)
{
    pthread_mutex_lock(&lock);
    const struct cs_emulated_object *object = find_object(kind, handle);
    bool named = object && object->name;
    if (named) {
        size_t length = strnlen(object->name, bytes - 1);
        memcpy(name, object->name, length);
        name[length] = '\0';
    }
    pthread_mutex_unlock(&lock);
    return named;
}

/* ---- windows ---- */

bool cs_emulated_window_keep(uint64_t window, const struct cs_emulated_window *what)
{
    pthread_mutex_lock(&lock);
    struct cs_emulated_object *object = make_object(CALLSIGN_WINDOW, window);
    if (object && !object->window)
        object->window = malloc(sizeof *object->window);
    bool kept = object && object->window;
    if (kept)
        *object->window = *what;
    else if (object)
        drop_empty(object);
    pthread_mutex_unlock(&lock);
    return kept;
}

struct cs_emulated_window *cs_emulated_window_kept(uint64_t window)
{
    pthread_mutex_lock(&lock);
    const struct cs_emulated_object *object = find_object(CALLSIGN_WINDOW, window);
    struct cs_emulated_window *kept = object ? object->window : NULL;
    pthread_mutex_unlock(&lock);
    return kept;
}
