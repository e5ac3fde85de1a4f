/* Attributes that callsign keeps, against a model: random keyvals, settings, duplicates and frees, with callbacks that
   refuse and that do anything themselves. CS_SEED: one seed only, CS_ROUNDS: how many operations of each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/unit_test.h"
#include "wrappers/fallback/emulated_store.h"

enum { OBJECTS = 6, KEYS = 12, MOST = OBJECTS * KEYS, DEEP = 4, SEEDS = 40 };
#define COMM CALLSIGN_COMMUNICATOR
#define TYPE CALLSIGN_DATATYPE

/* ---- the model: attributes in the order in which they were set ---- */

struct model_key {
    int number;
    enum callsign_kind kind;
    bool freed;
};
struct model_attribute {
    int object, key, value;
    unsigned set; /* when */
    bool busy;
};
static struct model_key keys[KEYS];
static struct model_attribute attributes[MOST];
static size_t count;
static unsigned now;
static int next_value, depth;
static unsigned long long random_state;

static unsigned draw(unsigned below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(random_state >> 33) % below;
}

/* Objects of one handle and another kind are others. */
static uint64_t handle_of(int object)
{
    return 100 + (uint64_t)object % (OBJECTS / 2);
}

static enum callsign_kind kind_of(int object)
{
    return object < OBJECTS / 2 ? COMM : TYPE;
}

static struct model_attribute *model_find(int object, int key)
{
    for (size_t i = 0; i < count; i++)
        if (attributes[i].object == object && attributes[i].key == key)
            return &attributes[i];
    return NULL;
}

static void model_remove(struct model_attribute *attribute)
{
    memmove(attribute, attribute + 1, (size_t)(attributes + --count - attribute) * sizeof *attribute);
}

static void model_put(int object, int key, int value)
{
    struct model_attribute *old = model_find(object, key);
    if (old)
        model_remove(old);
    assert_true(count < MOST);
    attributes[count++] = (struct model_attribute){object, key, value, ++now, false};
}

static bool model_has(int key)
{
    for (size_t i = 0; i < count; i++)
        if (attributes[i].key == key)
            return true;
    return false;
}

/* True if the store still knows the number. A running callback keeps it, too: then any result is allowed. */
static bool is_usable(int key)
{
    return !keys[key].freed || model_has(key);
}

static int key_numbered(int number)
{
    for (int i = 0; i < KEYS; i++)
        if (keys[i].number == number)
            return i;
    fail_msg("a callback of no keyval: %d", number);
    return -1;
}

static int object_of(enum callsign_kind kind, uint64_t handle)
{
    return (int)(handle - 100) + (kind == TYPE ? OBJECTS / 2 : 0);
}

/* ---- what is under way, innermost last ---- */

struct running {
    enum { SETTING, DELETING, CLEARING, COPYING } what;
    int object, key;
    unsigned last_copied; /* when it was set */
    bool in_spite;
    int copied[KEYS], values[KEYS], copies;
};
static struct running *running[DEEP + 1];

static void anything(void);

static struct model_attribute *newest_of(int object)
{
    for (size_t i = count; i-- > 0;)
        if (attributes[i].object == object && !attributes[i].busy)
            return &attributes[i];
    return NULL;
}

static int on_delete(const struct cs_emulated_keyval *keyval, uint64_t handle, struct cs_emulated_value value)
{
    struct running *outer = running[depth - 1];
    int key = key_numbered(keyval->number), object = object_of(keyval->kind, handle);
    struct model_attribute *attribute = model_find(object, key);
    assert_non_null(attribute);
    assert_false(attribute->busy);
    assert_int_equal(attribute->value, value.integer);
    assert_int_equal(object, outer->object);
    if (outer->what == CLEARING)
        assert_ptr_equal(attribute, newest_of(object));
    else
        assert_int_equal(key, outer->key);
    unsigned set = attribute->set;
    attribute->busy = true;
    while (depth < DEEP && draw(3) == 0)
        anything();
    int code = draw(6) == 0 ? 1 + (int)draw(9999) : 0;
    attribute = model_find(object, key);
    if (attribute && attribute->set == set) {
        attribute->busy = false;
        if (outer->what != SETTING && (!code || outer->in_spite))
            model_remove(attribute);
    }
    return code;
}

static int on_copy(const struct cs_emulated_keyval *keyval, uint64_t handle, struct cs_emulated_value in,
                   struct cs_emulated_value *out, int *flag)
{
    struct running *outer = running[depth - 1];
    int key = key_numbered(keyval->number), object = object_of(keyval->kind, handle);
    struct model_attribute *attribute = model_find(object, key);
    assert_int_equal(outer->what, COPYING);
    assert_int_equal(object, outer->object);
    assert_non_null(attribute);
    assert_int_equal(attribute->value, in.integer);
    assert_true(attribute->set > outer->last_copied);
    outer->last_copied = attribute->set;
    while (depth < DEEP && draw(4) == 0)
        anything();
    out->integer = ++next_value;
    out->kind = CS_EMULATED_INTEGER;
    *flag = draw(3) != 0;
    if (draw(12) == 0)
        return 77;
    if (*flag) {
        outer->copied[outer->copies] = key;
        outer->values[outer->copies++] = next_value;
    }
    return 0;
}

/* ---- operations: on the store and on the model ---- */

static void make_key(int key)
{
    const struct cs_emulated_callbacks callbacks = {.call_copy = on_copy, .call_delete = on_delete};
    keys[key] = (struct model_key){.kind = draw(2) ? COMM : TYPE};
    assert_int_equal(cs_emulated_keyval_create(keys[key].kind, &callbacks, &keys[key].number), CS_EMULATED_DONE);
}

static void free_key(int key)
{
    bool usable = is_usable(key);
    enum cs_emulated_outcome outcome = cs_emulated_keyval_free(keys[key].kind, keys[key].number);
    if (usable)
        assert_int_equal(outcome, CS_EMULATED_DONE);
    else if (depth == 0)
        assert_int_equal(outcome, CS_EMULATED_NO_KEYVAL);
    keys[key].freed = true;
    if (depth == 0 && !model_has(key) && draw(2))
        make_key(key);
}

static void set(int object, int key)
{
    bool fits = kind_of(object) == keys[key].kind;
    struct running this = {.what = SETTING, .object = object, .key = key};
    struct cs_emulated_value value = {.integer = ++next_value, .kind = CS_EMULATED_INTEGER};
    if (depth > 0 && !is_usable(key))
        return; /* a callback under way may still have it */
    bool usable = is_usable(key);
    running[depth++] = &this;
    struct cs_emulated_result result = cs_emulated_set(kind_of(object), handle_of(object), keys[key].number, value);
    depth--;
    if (!fits || !usable)
        assert_int_equal(result.outcome, CS_EMULATED_NO_KEYVAL);
    else if (result.outcome == CS_EMULATED_DONE)
        model_put(object, key, value.integer);
    else
        assert_int_equal(result.outcome, CS_EMULATED_REFUSED);
}

static void get(int object, int key)
{
    struct cs_emulated_answer answer;
    const struct model_attribute *attribute = kind_of(object) == keys[key].kind ? model_find(object, key) : NULL;
    enum cs_emulated_outcome outcome = cs_emulated_get(kind_of(object), handle_of(object), keys[key].number, &answer);
    assert_int_equal(answer.found, attribute != NULL);
    if (attribute) {
        assert_int_equal(answer.value.integer, attribute->value);
        assert_int_equal(*(const int *)answer.kept, attribute->value);
    } else if (depth == 0) {
        bool known = kind_of(object) == keys[key].kind && is_usable(key);
        assert_int_equal(outcome, known ? CS_EMULATED_DONE : CS_EMULATED_NO_KEYVAL);
    }
}

static void delete_one(int object, int key)
{
    struct running this = {.what = DELETING, .object = object, .key = key};
    const struct model_attribute *attribute = kind_of(object) == keys[key].kind ? model_find(object, key) : NULL;
    bool busy = attribute && attribute->busy;
    running[depth++] = &this;
    struct cs_emulated_result result = cs_emulated_delete(kind_of(object), handle_of(object), keys[key].number);
    depth--;
    if (busy)
        assert_int_equal(result.outcome, CS_EMULATED_DONE);
    if (result.outcome == CS_EMULATED_REFUSED)
        assert_true(result.code > 0);
}

/* A free: what the callbacks leave is lost. */
static void end_object(int object)
{
    struct running this = {.what = CLEARING, .object = object, .in_spite = draw(4) == 0};
    running[depth++] = &this;
    struct cs_emulated_result result = cs_emulated_clear(kind_of(object), handle_of(object), this.in_spite);
    depth--;
    if (this.in_spite)
        assert_int_equal(result.outcome, CS_EMULATED_DONE);
    if (result.outcome != CS_EMULATED_DONE)
        return;
    cs_emulated_drop(cs_emulated_take(kind_of(object), handle_of(object)));
    for (size_t i = count; i-- > 0;)
        if (attributes[i].object == object)
            model_remove(&attributes[i]);
}

static void duplicate(int object)
{
    struct running this = {.what = COPYING, .object = object};
    struct cs_emulated_copies *copies;
    int to = (object + 1) % (OBJECTS / 2) + (object < OBJECTS / 2 ? 0 : OBJECTS / 2);
    running[depth++] = &this;
    struct cs_emulated_result result = cs_emulated_copy(kind_of(object), handle_of(object), &copies);
    depth--;
    if (result.outcome != CS_EMULATED_DONE) {
        assert_int_equal(result.code, 77);
        assert_null(copies);
        return;
    }
    if (draw(4) == 0) { /* the MPI could not */
        cs_emulated_copies_drop(copies);
        return;
    }
    assert_true(cs_emulated_attach(handle_of(to), copies));
    for (int i = 0; i < this.copies; i++)
        model_put(to, this.copied[i], this.values[i]);
}

static void anything(void)
{
    int object = (int)draw(OBJECTS), key = (int)draw(KEYS);
    switch (draw(12)) {
    case 0:
        free_key(key);
        break;
    case 1:
    case 2:
        delete_one(object, key);
        break;
    case 3:
        end_object(object);
        break;
    case 4:
        duplicate(object);
        break;
    case 5:
    case 6:
        get(object, key);
        break;
    default:
        set(object, key);
    }
}

static void begin(unsigned seed)
{
    random_state = seed * 0x9E3779B97F4A7C15ull + 1;
    count = 0;
    depth = 0;
    for (int i = 0; i < KEYS; i++)
        make_key(i);
}

/* Nothing is left, and no keyval has a reference too many. */
static void finish(void)
{
    while (count)
        end_object(attributes[0].object);
    for (int i = 0; i < KEYS; i++) {
        cs_emulated_keyval_free(keys[i].kind, keys[i].number);
        assert_int_equal(cs_emulated_keyval_free(keys[i].kind, keys[i].number), CS_EMULATED_NO_KEYVAL);
    }
}

static void run(unsigned seed, unsigned long rounds)
{
    printf("seed %u\n", seed);
    begin(seed);
    for (unsigned long round = 0; round < rounds; round++) {
        anything();
        for (int object = 0; object < OBJECTS && round % 16 == 0; object++)
            for (int key = 0; key < KEYS; key++)
                get(object, key);
    }
    finish();
}

static void the_store_does_what_the_model_does(void **state)
{
    (void)state;
    const char *seed = getenv("CS_SEED"), *rounds = getenv("CS_ROUNDS");
    unsigned first = seed ? (unsigned)strtoul(seed, NULL, 10) : 1;
    for (unsigned i = first; i < first + (seed ? 1 : SEEDS); i++)
        run(i, rounds ? strtoul(rounds, NULL, 10) : 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_store_does_what_the_model_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
