#include "record/site/python_layout.h"

#include <stddef.h>
#include <string.h>

/* Computed from the headers of each version; they have been the same in all releases of a version. First what several
   versions have in common. */
#define OBJECTS                                                                                                        \
    .object_type = 8, .bytes_size = 16, .bytes_data = 32, .text_length = 16, .text_state = 32, .text_interned = 2
#define THREADS       .thread_next = 8, .thread_interpreter = 16
#define BEFORE_CFRAME .thread_frame = 24, .frame_code = 32, .frame_previous = 24, .frame_index = true
#define CODE_TO_10    .code_file = 104, .code_name = 112, .code_first_line = 40, .code_lines = 120
#define CODE_SINCE_11 .code_file = 112, .code_name = 128, .code_lines = 136
#define TEXT_TO_11    .text_ascii = 48, .text_compact = 72

static const struct cs_python_layout layouts[] = {
    {.minor = 9, OBJECTS, THREADS, BEFORE_CFRAME, CODE_TO_10, TEXT_TO_11, .interpreter_threads = 8, .frame_instr = 104},
    {.minor = 10,
     OBJECTS,
     THREADS,
     BEFORE_CFRAME,
     CODE_TO_10,
     TEXT_TO_11,
     .interpreter_threads = 8,
     .thread_run = 48,
     .frame_instr = 96},
    {.minor = 11,
     OBJECTS,
     THREADS,
     CODE_SINCE_11,
     TEXT_TO_11,
     .interpreter_threads = 16,
     .thread_run = 56,
     .thread_frame = 56,
     .through_cframe = true,
     .cframe_frame = 8,
     .frame_code = 32,
     .frame_previous = 48,
     .frame_instr = 56,
     .frame_is_entry = 68,
     .code_instr = 184,
     .code_first_line = 72},
    {.minor = 12,
     OBJECTS,
     CODE_SINCE_11,
     .thread_frame = 56,
     .through_cframe = true,
     .cframe_frame = 0,
     .frame_code = 0,
     .frame_previous = 8,
     .frame_instr = 56,
     .frame_owner = 70,
     .code_instr = 192,
     .code_first_line = 68,
     .text_ascii = 40,
     .text_compact = 56},
};

/* The structures of _Py_DebugOffsets, as numbers of their fields. They follow a cookie, the version and a flag. */
enum { FREE_THREADED = 2, RUNTIME = 3, RUNTIME_FIELDS = 3, OFFSETS_SINCE = 13, OFFSETS_UNTIL = 15 };

/* Numbers of fields of these structures. types: of all between object and bytes. */
struct places {
    unsigned interpreter, thread, frame, code, types;
};

static uint16_t take(const uint64_t *field, bool *fits)
{
    *fits = *fits && *field < 4096;
    return (uint16_t)*field;
}

static bool read_offsets(unsigned minor, const uint64_t *all, struct cs_python_layout *layout)
{
    /* Sets came with 3.14, heap types and an item of the stack of exceptions with 3.15. */
    static const struct places known[] = {{13, 9, 6, 10, 4 + 3 + 3 + 3 + 2 + 3},
                                          {16, 9, 8, 11, 4 + 3 + 3 + 4 + 3 + 2 + 3},
                                          {16, 16 + 1, 8, 11, 6 + 2 + 3 + 3 + 4 + 3 + 2 + 3}};
    const struct places *places = &known[minor - OFFSETS_SINCE];
    const uint64_t *thread = all + RUNTIME + RUNTIME_FIELDS + places->interpreter;
    const uint64_t *frame = thread + places->thread;
    const uint64_t *code = frame + places->frame;
    const uint64_t *object = code + places->code;
    const uint64_t *bytes = object + 2 + places->types;
    const uint64_t *text = bytes + 3;
    bool fits = true;
    *layout = (struct cs_python_layout){
        .minor = minor,
        .thread_frame = take(thread + 4, &fits),
        .frame_previous = take(frame + 1, &fits),
        .frame_code = take(frame + 2, &fits),
        .frame_instr = take(frame + 3, &fits),
        .frame_owner = take(frame + 5, &fits),
        .code_file = take(code + 1, &fits),
        .code_name = take(code + 3, &fits),
        .code_lines = take(code + 4, &fits),
        .code_first_line = take(code + 5, &fits),
        .code_instr = take(code + 9, &fits),
        .object_type = take(object + 1, &fits),
        .bytes_size = take(bytes + 1, &fits),
        .bytes_data = take(bytes + 2, &fits),
        .text_state = take(text + 1, &fits),
        .text_interned = 2,
        .text_length = take(text + 2, &fits),
        .text_ascii = take(text + 3, &fits),
    };
    if (minor >= 14) {
        layout->frame_tlbc = take(frame + 7, &fits);
        layout->code_tlbc = take(code + 10, &fits);
        if (all[FREE_THREADED])
            layout->text_interned = 8; /* a byte, which threads change atomically */
    }
    layout->text_compact = (uint16_t)(layout->text_ascii + 16); /* two fields about a copy in UTF-8 */
    return fits;
}

bool cs_python_layout_find(unsigned major, unsigned minor, const void *offsets, struct cs_python_layout *layout)
{
    for (size_t i = 0; major == 3 && i < sizeof layouts / sizeof layouts[0]; i++)
        if (layouts[i].minor == minor) {
            *layout = layouts[i];
            return true;
        }
    uint64_t all[CS_PYTHON_OFFSETS_BYTES / sizeof(uint64_t)];
    if (major != 3 || minor < OFFSETS_SINCE || minor > OFFSETS_UNTIL || !offsets || memcmp(offsets, "xdebugpy", 8) != 0)
        return false;
    memcpy(all, offsets, sizeof all);
    return all[1] >> 16 == (3u << 8 | minor) && read_offsets(minor, all, layout);
}
