#include "record/site/python.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/keep_errno.h"
#include "base/log.h"
#include "base/path.h"
#include "base/symbols/resolver.h"
#include "record/site/module.h"
#include "record/site/private_library.h"
#include "record/site/python_code.h"
#include "record/site/python_frames.h"
#include "record/site/python_state.h"
#include "record/site/stack.h"
#include "record/site/tail_call.h"

enum {
    SETS_LOG2 = 9,        /* of a thread's cache */
    WAYS = 8,             /* slots of a set */
    OWN_MOST = 8,         /* frames of the interpreter's own code in a row */
    EDGE_BYTES = 16,      /* of a long table of lines: compared at its beginning and its end */
    NEEDED_BYTES = 24576, /* of stack, to read a frame's texts */
};

/* A slot's site if the frame is one of mpi4py: the next outer one decides. */
#define NEXT_FRAME UINT64_MAX

struct slot {
    uint64_t hash, site;
};

/* The latest come first. Calls of one loop with the same set would drive each other out at each turn if it had few
   slots. */
struct set {
    struct slot slot[WAYS];
};

struct cs_python_cache {
    struct set set[1 << SETS_LOG2];
};

static struct interpreter {
    struct cs_python_layout layout;
    struct cs_python_types types;
    void *(*thread_state)(void); /* PyGILState_GetThisThreadState, which needs no lock, as the next two */
    void *(*first)(void);        /* PyInterpreterState_Head */
    void *(*main)(void);         /* PyInterpreterState_Main */
    struct cs_module_range eval; /* the C function that runs Python's code */
    char path[PATH_MAX];         /* of the library or program that contains it */
} python;

static _Atomic bool is_verified;

static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t looked_at; /* cs_module_count_scans at the last look, plus one */

/* ---- finding the interpreter ---- */

static int find_library(struct dl_phdr_info *info, size_t size, void *argument)
{
    static const char name[] = "libpython3.";
    char *path = argument;
    (void)size;
    if (strncmp(cs_path_name(info->dlpi_name), name, sizeof name - 1) != 0 || strlen(info->dlpi_name) >= PATH_MAX)
        return 0;
    strcpy(path, info->dlpi_name);
    return 1;
}

/* A handle for the interpreter's functions, which keeps them loaded; NULL: there is none. A program may have opened the
   library locally. */
static void *open_interpreter(void)
{
    char path[PATH_MAX];
    if (cs_is_linked_statically())
        return NULL;
    if (dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState"))
        return dlopen(NULL, RTLD_LAZY);
    return dl_iterate_phdr(find_library, path) == 1 ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

static uint64_t address_of(void *handle, const char *name)
{
    return (uint64_t)(uintptr_t)dlsym(handle, name);
}

/* Its cold parts may lie elsewhere: then C and Python frames do not match, which cs_python_join detects. */
static void find_eval(void *handle)
{
    void *function = dlsym(handle, "_PyEval_EvalFrameDefault");
    Dl_info about;
    const ElfW(Sym) *symbol = NULL;
    if (!function || !dladdr1(function, &about, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
        return;
    atomic_store_explicit(&python.eval.begin, (uint64_t)(uintptr_t)about.dli_saddr, memory_order_relaxed);
    atomic_store_explicit(&python.eval.bytes, symbol->st_size, memory_order_relaxed);
}

static void find_path(void)
{
    struct cs_module_about *about = malloc(sizeof *about);
    if (about && cs_module_describe((uint64_t)(uintptr_t)python.thread_state, about))
        snprintf(python.path, sizeof python.path, "%s", about->path);
    free(about);
}

static void begin_with(void *handle)
{
    const char *(*get_version)(void);
    unsigned major = 0, minor = 0;
    char offsets[CS_PYTHON_OFFSETS_BYTES];
    uint64_t runtime = address_of(handle, "_PyRuntime");
    *(void **)&get_version = dlsym(handle, "Py_GetVersion");
    *(void **)&python.thread_state = dlsym(handle, "PyGILState_GetThisThreadState");
    *(void **)&python.first = dlsym(handle, "PyInterpreterState_Head");
    *(void **)&python.main = dlsym(handle, "PyInterpreterState_Main");
    python.types = (struct cs_python_types){address_of(handle, "PyCode_Type"), address_of(handle, "PyUnicode_Type"),
                                            address_of(handle, "PyBytes_Type")};
    if (!get_version || !python.thread_state || !python.first || !python.main ||
        sscanf(get_version(), "%u.%u", &major, &minor) != 2)
        return;
    bool has_offsets = runtime && cs_python_read(runtime, offsets, sizeof offsets);
    if (!python.types.code || !python.types.text || !python.types.bytes ||
        !cs_python_layout_find(major, minor, has_offsets ? offsets : NULL, &python.layout)) {
        cs_log("calls from Python are recorded without its lines: version %u.%u is unknown", major, minor);
        return;
    }
    find_eval(handle);
    find_path();
    cs_recorder_switch(CS_SEES_PYTHON, true);
}

void cs_python_look(void)
{
    uint32_t scans = cs_module_count_scans() + 1;
    if (atomic_load_explicit(&looked_at, memory_order_relaxed) == scans || !cs_recorder.stacks ||
        pthread_mutex_trylock(&looking) != 0)
        return;
    CS_KEEP_ERRNO;
    atomic_store_explicit(&looked_at, scans, memory_order_relaxed);
    void *handle = python.thread_state ? NULL : open_interpreter();
    if (handle)
        begin_with(handle);
    pthread_mutex_unlock(&looking);
}

void cs_python_forget(void)
{
    looking = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    cs_python_frames_forget();
}

/* ---- frames ---- */

/* Plain reads. They are safe after is_verified: the thread's own frames do not move or end while it is here. */

static inline uint64_t load(uint64_t address, unsigned offset)
{
    uint64_t word;
    memcpy(&word, (const char *)(uintptr_t)address + offset, sizeof word);
    return word;
}

static inline uint8_t load_byte(uint64_t address, unsigned offset)
{
    return *((const uint8_t *)(uintptr_t)address + offset);
}

/* True for frames of the interpreter's own code, which begin each run of the C function. */
static inline bool is_own(uint64_t frame)
{
    return python.layout.frame_owner && load_byte(frame, python.layout.frame_owner) >= CS_PYTHON_OWNED_BY_C;
}

/* This frame or the next outer one with source; 0: none. */
static inline uint64_t with_source(uint64_t frame)
{
    for (int i = 0; frame && is_own(frame); i++)
        frame = i < OWN_MOST ? load(frame, python.layout.frame_previous) : 0;
    return frame;
}

static inline uint64_t outer(uint64_t frame)
{
    return with_source(load(frame, python.layout.frame_previous));
}

/* The address that has the innermost frame's address; 0: this thread does not run Python. */
static inline uint64_t find_current(struct cs_thread *thread)
{
    uint64_t state = (uint64_t)(uintptr_t)python.thread_state();
    if (__builtin_expect(python.layout.interpreter_threads, 0)) {
        struct cs_python_interpreters all = {(uint64_t)(uintptr_t)python.first(), (uint64_t)(uintptr_t)python.main()};
        state = cs_python_state_find(&python.layout, all, state, thread);
    }
    return state ? state + python.layout.thread_frame : 0;
}

static inline uint64_t innermost(struct cs_thread *thread)
{
    uint64_t current = find_current(thread);
    uint64_t frame = current ? load(current, 0) : 0;
    if (python.layout.through_cframe && frame)
        frame = load(frame, python.layout.cframe_frame);
    return frame ? with_source(frame) : 0;
}

static inline uint64_t code_of(uint64_t frame)
{
    return load(frame, python.layout.frame_code) & ~(uint64_t)7;
}

/* True if the thread surely runs no Python, without system calls: its state has no frame. While there are no frames,
   the structure in between is a part of the state. */
static bool has_no_frame(uint64_t current)
{
    enum { STATE_BYTES = 4096 };
    uint64_t at = load(current, 0), state = current - python.layout.thread_frame;
    return !at || (python.layout.through_cframe && at - state < STATE_BYTES && !load(at, python.layout.cframe_frame));
}

/* Verifies the layout on the innermost frame. Returns true if plain reads are safe from now on. */
static __attribute__((noinline)) bool verify(struct cs_thread *thread)
{
    CS_KEEP_ERRNO;
    uint64_t current = find_current(thread), frame = 0;
    if (!current || has_no_frame(current) || !cs_stack_has_room(thread, NEEDED_BYTES))
        return false;
    bool good = cs_python_read(current, &frame, sizeof frame);
    if (good && frame && python.layout.through_cframe)
        good = cs_python_read(frame + python.layout.cframe_frame, &frame, sizeof frame);
    uint8_t owner = CS_PYTHON_OWNED_BY_C;
    for (int i = 0; good && frame && python.layout.frame_owner && i < OWN_MOST; i++) {
        good = cs_python_read(frame + python.layout.frame_owner, &owner, sizeof owner);
        if (!good || owner < CS_PYTHON_OWNED_BY_C)
            break;
        good = cs_python_read(frame + python.layout.frame_previous, &frame, sizeof frame);
    }
    if (good && !frame)
        return false; /* not yet: this thread runs no Python */
    struct cs_python_place place;
    if (good && cs_python_place_find(&python.layout, &python.types, frame, &place)) {
        atomic_store_explicit(&is_verified, true, memory_order_release);
        return true;
    }
    cs_log_once(
        "calls from Python are recorded without its lines: this build of Python 3.%u keeps its frames elsewhere",
        python.layout.minor);
    cs_recorder_switch(CS_SEES_PYTHON, false);
    return false;
}

static inline bool is_readable(struct cs_thread *thread)
{
    return __builtin_expect(atomic_load_explicit(&is_verified, memory_order_acquire), 1) || verify(thread);
}

/* ---- hashes ---- */

static inline uint64_t load_last(uint64_t address, uint64_t bytes)
{
    uint64_t word = 0;
    memcpy(&word, (const void *)(uintptr_t)address, bytes < sizeof word ? bytes : sizeof word);
    return word;
}

/* A sum of products with odd numbers: the multiplications do not wait for each other. */
static inline uint64_t hash_words(uint64_t address, uint64_t bytes)
{
    uint64_t sum = 0, factor = 0x9e3779b97f4a7c15u;
    uint64_t at = 0;
    for (; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t), factor += 0x7f4a7c15f39cc060u)
        sum += load(address, (unsigned)at) * factor;
    return at < bytes ? sum + load_last(address + at, bytes - at) * factor : sum;
}

/* True if the code was compiled from no file ("<string>"): such code comes and goes, and its memory is used again. */
static bool is_generated(uint64_t file)
{
    return load_byte(file, cs_python_text_data(&python.layout, (uint32_t)load(file, python.layout.text_state))) == '<';
}

static inline uint64_t hash_lines(uint64_t lines, uint64_t file)
{
    uint64_t bytes = load(lines, python.layout.bytes_size), at = lines + python.layout.bytes_data;
    if (__builtin_expect(bytes <= 2 * EDGE_BYTES || is_generated(file), 1))
        return bytes + hash_words(at, bytes);
    return bytes + hash_words(at, EDGE_BYTES) + 31 * hash_words(at + bytes - EDGE_BYTES, EDGE_BYTES);
}

static inline uint64_t instr_of(uint64_t frame)
{
    uint64_t instr = load(frame, python.layout.frame_instr);
    return python.layout.frame_index ? instr & UINT32_MAX : instr;
}

/* Continues a hash with what tells a frame's line: code object and instruction, and, because the memory of a code
   object may be another one's later, all that its line is decoded from. */
static inline __attribute__((always_inline)) uint64_t hash_frame(uint64_t hash, uint64_t frame)
{
    uint64_t code = code_of(frame);
    if (load(code, python.layout.object_type) != python.types.code)
        return cs_hash_mix(hash, code);
    uint64_t file = load(code, python.layout.code_file), lines = load(code, python.layout.code_lines);
    uint64_t sum = code * 0x9e3779b97f4a7c15u + file * 0xc2b2ae3d27d4eb4fu + lines * 0x165667b19e3779f9u +
                   load(code, python.layout.code_name) * 0xd6e8feb86659fd93u +
                   (load(code, python.layout.code_first_line) & UINT32_MAX) * 0xff51afd7ed558ccdu +
                   hash_lines(lines, file);
    return cs_hash_mix(hash, sum + instr_of(frame) * 0x94d049bb133111ebu);
}

/* A hash of all Python frames of the calling thread. */
static uint64_t hash_frames(struct cs_thread *thread)
{
    uint64_t hash = 0, frame = innermost(thread);
    for (int i = 0; frame && i < CS_STACK_DEPTH; i++, frame = outer(frame))
        hash = hash_frame(hash, frame);
    return hash;
}

/* ---- sites ---- */

enum owner {
    OWNER_OTHER,
    OWNER_BINDING, /* a library between Python and C that users do not write */
    OWNER_INTERPRETER,
};

/* The program python3.11 usually contains the interpreter; otherwise it only begins it. */
static bool is_python_program(const char *name)
{
    return strncmp(name, "python", 6) == 0 && strspn(name + 6, "0123456789.dmt") == strlen(name + 6);
}

/* MPI.cpython-311-x86_64-linux-gnu.so, MPI.abi3.so, and those that mpi4py 4.1 has for several MPIs: MPI.mpich.abi3.so.
 */
static bool is_mpi4py(const char *name)
{
    return strncmp(name, "MPI.", 4) == 0 && (strstr(name, ".cpython-") || strstr(name, ".abi3"));
}

static enum owner owner_of(uint64_t address)
{
    static const char *const bindings[] = {"_ctypes.", "_cffi_backend.", "libffi."};
    struct cs_module_about *about = malloc(sizeof *about);
    enum owner owner = OWNER_OTHER;
    if (about && cs_module_describe(address, about)) {
        const char *name = cs_path_name(about->path);
        for (size_t i = 0; i < sizeof bindings / sizeof bindings[0]; i++)
            if (strncmp(name, bindings[i], strlen(bindings[i])) == 0)
                owner = OWNER_BINDING;
        if (is_mpi4py(name))
            owner = OWNER_BINDING;
        if (strcmp(about->path, python.path) == 0 || is_python_program(name))
            owner = OWNER_INTERPRETER;
    }
    free(about);
    return owner;
}

/* The set of a key, which needs fewer steps than a hash: the processor goes on with the slot's site while it still
   compares hashes. */
static inline struct set *set_of(struct cs_python_cache *cache, uint64_t key)
{
    return &cache->set[cs_hash_place(key, SETS_LOG2)];
}

/* NULL: it is not there. */
static inline const struct slot *find_slot(const struct set *set, uint64_t hash)
{
    for (int i = 0; i < WAYS; i++)
        if (__builtin_expect(set->slot[i].hash == hash, 1))
            return &set->slot[i];
    return NULL;
}

/* depth: number of frames inside this one. A function of mpi4py may call itself from one place. */
static inline uint64_t key_of(uint64_t return_address, uint64_t frame, int depth)
{
    return frame ? instr_of(frame) + return_address + (uint64_t)depth * 0xc2b2ae3d27d4eb4fu : return_address;
}

static void note(struct cs_thread *thread, uint64_t key, uint64_t hash, uint64_t site)
{
    if (!thread->python)
        thread->python = calloc(1, sizeof *thread->python);
    if (!thread->python)
        return;
    struct set *set = set_of(thread->python, key);
    if (find_slot(set, hash))
        return;
    memmove(&set->slot[1], set->slot, sizeof set->slot - sizeof set->slot[0]);
    set->slot[0] = (struct slot){hash, site};
}

/* The number of a frame, as cs_python_frame_number gives it. New lines and stacks have mostly frames of former ones:
   the cache has them. */
static uint64_t number_of(struct cs_thread *thread, uint64_t frame, bool *is_hidden)
{
    enum { OF_FRAMES = 3 };                    /* not a return address, where the hashes of lines begin */
    const uint64_t hidden = UINT64_C(1) << 62; /* in no number */
    uint64_t hash = hash_frame(OF_FRAMES, frame);
    const struct slot *slot = thread->python ? find_slot(set_of(thread->python, hash), hash) : NULL;
    if (slot) {
        *is_hidden = slot->site & hidden;
        return slot->site & ~hidden;
    }
    uint64_t number = cs_python_frame_number(&python.layout, &python.types, frame, is_hidden);
    note(thread, hash, hash, *is_hidden ? number | hidden : number);
    return number;
}

/* The end of the frames, as one of them. */
static inline uint64_t hash_end(uint64_t hash)
{
    return cs_hash_mix(hash, 1);
}

/* The first call of its kind: finds the innermost frame that counts. */
static __attribute__((noinline)) uint64_t add_line(struct cs_thread *thread, uint64_t return_address)
{
    CS_KEEP_ERRNO;
    if (!cs_stack_has_room(thread, NEEDED_BYTES))
        return return_address;
    uint64_t hash = return_address, frame = innermost(thread), number = 0, key = return_address;
    bool is_hidden = true;
    for (int i = 0; frame && is_hidden && i < CS_STACK_DEPTH; i++, frame = outer(frame)) {
        hash = hash_frame(hash, frame);
        key = key_of(return_address, frame, i);
        uint64_t found = number_of(thread, frame, &is_hidden);
        number = is_hidden && number ? number : found;
        if (is_hidden)
            note(thread, key, hash, NEXT_FRAME);
    }
    if (is_hidden) {
        hash = hash_end(hash);
        key = return_address;
    }
    uint64_t site = return_address;
    if (number) {
        void *both[] = {(void *)(uintptr_t)return_address, (void *)(uintptr_t)number};
        size_t skipped = owner_of(return_address) == OWNER_OTHER ? 0 : 1;
        uint64_t maker = cs_module_is_maker(return_address) ? return_address : 0;
        site = cs_stack_intern(return_address, maker, both + skipped, 2 - skipped);
    }
    note(thread, key, hash, site);
    return site;
}

uint64_t cs_python_find_line(struct cs_thread *thread, uint64_t return_address)
{
    if (!is_readable(thread))
        return return_address;
    uint64_t frame = innermost(thread), hash = return_address;
    if (!frame)
        return return_address;
    for (int i = 0; thread->python && i < CS_STACK_DEPTH; i++) {
        const struct set *set = set_of(thread->python, key_of(return_address, frame, i));
        hash = frame ? hash_frame(hash, frame) : hash_end(hash);
        const struct slot *slot = find_slot(set, hash);
        if (__builtin_expect(!slot, 0))
            break;
        if (__builtin_expect(slot->site != NEXT_FRAME, 1))
            return slot->site;
        frame = outer(frame);
    }
    return add_line(thread, return_address);
}

/* ---- whole stacks ---- */

/* The Python frames of the thread; a group of them belongs to each run of the interpreter's C function. */
struct groups {
    uint64_t number[CS_STACK_DEPTH]; /* 0: a frame that does not count */
    bool is_last[CS_STACK_DEPTH];    /* of its group */
    size_t frames, groups;
    bool is_cut; /* there are more frames */
};

static bool begins_run(uint64_t frame)
{
    const struct cs_python_layout *layout = &python.layout;
    if (layout->frame_index)
        return true;
    if (layout->frame_is_entry)
        return load_byte(frame, layout->frame_is_entry) != 0;
    uint64_t previous = load(frame, layout->frame_previous);
    return !previous || is_own(previous);
}

static void find_groups(struct cs_thread *thread, struct groups *groups)
{
    *groups = (struct groups){.frames = 0};
    uint64_t frame = innermost(thread);
    for (; frame && groups->frames < CS_STACK_DEPTH; frame = outer(frame)) {
        bool is_hidden;
        uint64_t number = number_of(thread, frame, &is_hidden);
        groups->number[groups->frames] = is_hidden ? 0 : number;
        groups->is_last[groups->frames] = begins_run(frame);
        groups->groups += groups->is_last[groups->frames++];
    }
    groups->is_cut = frame;
}

struct joined {
    void **frame;
    size_t frames, size;
    bool is_cut; /* there are more frames */
};

static void joined_add(struct joined *joined, uint64_t frame)
{
    if (frame && joined->frames < joined->size)
        joined->frame[joined->frames++] = (void *)(uintptr_t)frame;
    else if (frame)
        joined->is_cut = true;
}

/* Adds a frame of C code that is no part of Python, and what has left the stack between it and the one inside it. */
static void joined_add_code(struct joined *joined, void *const *c_frame, size_t i)
{
    uint64_t address = (uint64_t)(uintptr_t)c_frame[i];
    uint64_t left = i > 0 ? cs_tail_call_find_between(address, (uint64_t)(uintptr_t)c_frame[i - 1]) : 0;
    if (left && owner_of(left) == OWNER_OTHER)
        joined_add(joined, left + CS_TAIL_CALL_OFFSET);
    joined_add(joined, address);
}

/* Adds the frames of one group; *next: its first frame, and then that of the next group. */
static void add_group(struct joined *joined, const struct groups *groups, size_t *next)
{
    bool is_last = false;
    while (*next < groups->frames && !is_last) {
        is_last = groups->is_last[*next];
        joined_add(joined, groups->number[(*next)++]);
    }
}

static bool is_eval(const void *c_frame)
{
    return cs_module_is_in(&python.eval, (uint64_t)(uintptr_t)c_frame);
}

/* Writes the C frames with the groups of Python frames in the places of the interpreter's runs. Frames that begin the
   program around a plain Python program tell nothing. */
static void join_runs(struct joined *joined, const struct groups *groups, void *const *c_frame, size_t c_frames)
{
    size_t next = 0, last_python = 0;
    bool is_embedded = false;
    for (size_t i = 0; i < c_frames; i++) {
        uint64_t address = (uint64_t)(uintptr_t)c_frame[i];
        if (is_eval(c_frame[i])) {
            add_group(joined, groups, &next);
            last_python = joined->frames;
            is_embedded = false;
        } else if (owner_of(address) == OWNER_OTHER) {
            joined_add_code(joined, c_frame, i);
            is_embedded = is_embedded || cs_module_is_maker(address);
        }
    }
    if (!is_embedded)
        joined->frames = last_python;
}

/* Writes the C frames inside the interpreter's innermost run, and all Python frames. */
static void join_innermost(struct joined *joined, const struct groups *groups, void *const *c_frame, size_t c_frames)
{
    for (size_t i = 0; i < c_frames; i++) {
        uint64_t address = (uint64_t)(uintptr_t)c_frame[i];
        enum owner owner = owner_of(address);
        if (owner == OWNER_INTERPRETER)
            break;
        if (owner == OWNER_OTHER)
            joined_add_code(joined, c_frame, i);
    }
    for (size_t next = 0; next < groups->frames;)
        add_group(joined, groups, &next);
}

/* Joins frames of C, from the return address into the program outwards, with the thread's Python frames. Returns the
   number of frames; 0: out of memory. */
static size_t join(struct cs_thread *thread, void *const *c_frame, size_t c_frames, void **frame, size_t size)
{
    struct groups *groups = malloc(sizeof *groups);
    struct joined joined = {.frame = frame, .size = size};
    size_t runs = 0;
    if (!groups)
        return 0;
    find_groups(thread, groups);
    joined.is_cut = groups->is_cut;
    for (size_t i = 0; i < c_frames; i++)
        runs += is_eval(c_frame[i]);
    if (runs && runs == groups->groups) /* no runs: the function's frame is not known, or too many frames came before */
        join_runs(&joined, groups, c_frame, c_frames);
    else
        join_innermost(&joined, groups, c_frame, c_frames);
    free(groups);
    if (joined.is_cut && joined.frames) {
        joined.frames -= joined.frames == size;
        joined.frame[joined.frames++] = (void *)(uintptr_t)CS_SITE_PARTIAL;
    }
    return joined.frames;
}

/* The first call with this stack. c_stack: what stands for its C frames. */
static __attribute__((noinline)) uint64_t add_stack(struct cs_thread *thread, uint64_t line, uint64_t c_stack)
{
    void *c_frame[CS_STACK_WALK], *frame[CS_STACK_DEPTH];
    uint64_t return_address = cs_stack_pc(line);
    if (!cs_stack_has_room(thread, NEEDED_BYTES))
        return line;
    size_t c_frames = cs_stack_walk(thread, return_address, c_frame);
    size_t frames = c_frames ? join(thread, c_frame, c_frames, frame, CS_STACK_DEPTH) : 0;
    return frames ? cs_stack_intern(return_address, cs_stack_maker(c_stack), frame, frames) : line;
}

/* Not inlined: it saves registers that return addresses do not need. */
__attribute__((noinline)) uint64_t cs_python_stack_of_line(struct cs_thread *thread, uint64_t line, const void *base)
{
    uint64_t c_stack = cs_stack_take_part(thread, cs_stack_pc(line), base);
    uint64_t hash = cs_hash_mix(hash_frames(thread), c_stack);
    const struct slot *slot = thread->python ? find_slot(set_of(thread->python, hash), hash) : NULL;
    if (slot)
        return slot->site;
    CS_KEEP_ERRNO;
    uint64_t site = add_stack(thread, line, c_stack);
    note(thread, hash, hash, site);
    return site;
}
