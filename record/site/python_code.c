#include "record/site/python_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/own_memory.h"

#define LINES_MOST  (1u << 24) /* bytes of a table of lines */
#define LENGTH_MOST (1u << 20) /* characters of a text; longer ones are no texts */

bool cs_python_read(uint64_t address, void *to, size_t bytes)
{
    return cs_own_memory_read(address, to, bytes) == (ssize_t)bytes;
}

static bool read_word(uint64_t address, unsigned offset, uint64_t *word)
{
    return cs_python_read(address + offset, word, sizeof *word);
}

static bool has_type(const struct cs_python_layout *layout, uint64_t object, uint64_t type)
{
    uint64_t found;
    return object && object % sizeof(void *) == 0 && read_word(object, layout->object_type, &found) && found == type;
}

/* ---- texts ---- */

/* Size of a character in bytes; 0: this is no compact text. state: result of cs_python_text_state. */
static unsigned kind_of(unsigned state)
{
    unsigned kind = state & 7;
    return (state & 8) && (kind == 1 || kind == 2 || kind == 4) && (!(state & 16) || kind == 1) ? kind : 0;
}

/* Appends a character in UTF-8. A byte that was no text when Python read a file name is that byte again. Returns false
   if there is no room. */
static bool append(char *text, size_t size, size_t *used, uint32_t character)
{
    unsigned char bytes[4];
    size_t count = 1;
    if (character < 0x80 || (character >= 0xdc80 && character <= 0xdcff)) {
        bytes[0] = (unsigned char)character;
    } else if (character < 0x800) {
        bytes[0] = (unsigned char)(0xc0 | character >> 6);
        bytes[1] = (unsigned char)(0x80 | (character & 0x3f));
        count = 2;
    } else if (character < 0x10000) {
        bytes[0] = (unsigned char)(0xe0 | character >> 12);
        bytes[1] = (unsigned char)(0x80 | (character >> 6 & 0x3f));
        bytes[2] = (unsigned char)(0x80 | (character & 0x3f));
        count = 3;
    } else {
        bytes[0] = (unsigned char)(0xf0 | (character >> 18 & 7));
        bytes[1] = (unsigned char)(0x80 | (character >> 12 & 0x3f));
        bytes[2] = (unsigned char)(0x80 | (character >> 6 & 0x3f));
        bytes[3] = (unsigned char)(0x80 | (character & 0x3f));
        count = 4;
    }
    if (*used + count >= size)
        return false;
    memcpy(text + *used, bytes, count);
    *used += count;
    return true;
}

static bool copy_text(const struct cs_python_layout *layout, const struct cs_python_types *types, uint64_t object,
                      char *text, size_t size)
{
    enum { PIECE = 256 };
    uint64_t length;
    uint32_t state;
    if (!has_type(layout, object, types->text) || !read_word(object, layout->text_length, &length) ||
        !cs_python_read(object + layout->text_state, &state, sizeof state) || length > LENGTH_MOST)
        return false;
    unsigned kind = kind_of(cs_python_text_state(layout, state));
    uint64_t at = object + cs_python_text_data(layout, state);
    size_t used = 0;
    for (uint64_t done = 0; kind && done < length;) {
        unsigned char piece[PIECE * 4];
        size_t count = length - done < PIECE ? length - done : PIECE;
        if (!cs_python_read(at + done * kind, piece, count * kind))
            return false;
        for (size_t i = 0; i < count; i++, done++) {
            uint32_t character = 0;
            memcpy(&character, piece + i * kind, kind);
            if (!character || !append(text, size, &used, character)) {
                text[used] = '\0';
                return true;
            }
        }
    }
    text[used] = '\0';
    return kind != 0;
}

/* ---- lines ---- */

/* 3.9: pairs of bytes: how much offset and line grow. */
static int64_t find_in_pairs(const uint8_t *table, size_t bytes, int64_t line, int64_t offset)
{
    int64_t at = 0;
    for (size_t i = 0; i + 1 < bytes; i += 2) {
        at += table[i];
        if (at > offset)
            break;
        line += (int8_t)table[i + 1];
    }
    return line;
}

/* 3.10: pairs of bytes: the size of a range, and how much its line is more than that of the range before; -128: it has
   no line. */
static int64_t find_in_ranges(const uint8_t *table, size_t bytes, int64_t line, int64_t offset)
{
    int64_t end = 0;
    for (size_t i = 0; i + 1 < bytes; i += 2) {
        int8_t more = (int8_t)table[i + 1];
        end += table[i];
        if (more != -128)
            line += more;
        if (offset < end)
            break;
    }
    return line;
}

/* A number of 6 bits a byte, lowest first; all but the last byte have bit 6. */
static uint64_t read_number(const uint8_t *table, size_t bytes, size_t *at)
{
    uint64_t number = 0;
    for (unsigned shift = 0; *at < bytes && shift < 36; shift += 6) {
        uint8_t byte = table[(*at)++];
        number |= (uint64_t)(byte & 0x3f) << shift;
        if (!(byte & 0x40))
            break;
    }
    return number;
}

/* From 3.11 on: entries that begin with a byte that has bit 7; then come 4 bits with the form, and 3 bits with the
   number of instructions less one. */
static int64_t find_in_entries(const uint8_t *table, size_t bytes, int64_t line, int64_t offset)
{
    enum { ONE_LINE_0 = 10, ONE_LINE_2 = 12, NO_COLUMNS, LONG, NO_LINE };
    int64_t end = 0;
    for (size_t at = 0; at < bytes;) {
        unsigned form = table[at] >> 3 & 15;
        end += 2 * ((table[at] & 7) + 1);
        at++;
        if (form == NO_COLUMNS || form == LONG) {
            uint64_t more = read_number(table, bytes, &at);
            line += more & 1 ? -(int64_t)(more >> 1) : (int64_t)(more >> 1);
        } else if (form >= ONE_LINE_0 && form <= ONE_LINE_2) {
            line += (int64_t)form - ONE_LINE_0;
        }
        if (offset < end)
            break;
        while (at < bytes && !(table[at] & 0x80))
            at++;
    }
    return line;
}

int32_t cs_python_line_find(unsigned minor, const uint8_t *table, size_t bytes, int32_t first_line, int64_t offset)
{
    if (offset < 0)
        return first_line;
    int64_t line = minor >= 11   ? find_in_entries(table, bytes, first_line, offset)
                   : minor == 10 ? find_in_ranges(table, bytes, first_line, offset)
                                 : find_in_pairs(table, bytes, first_line, offset);
    return line > 0 && line <= INT32_MAX ? (int32_t)line : 0;
}

/* ---- frames ---- */

/* The offset of the frame's instruction in its code, in bytes. */
static bool find_offset(const struct cs_python_layout *layout, uint64_t frame, uint64_t code, int64_t *offset)
{
    uint64_t instr, first = code + layout->code_instr, copies;
    int32_t copy = 0;
    if (!read_word(frame, layout->frame_instr, &instr))
        return false;
    if (layout->frame_index) {
        *offset = (int64_t)(int32_t)instr * (layout->minor >= 10 ? 2 : 1);
        return true;
    }
    if (layout->frame_tlbc) {
        if (!cs_python_read(frame + layout->frame_tlbc, &copy, sizeof copy) ||
            !read_word(code, layout->code_tlbc, &copies))
            return false;
        /* A count, and as many addresses. */
        if (copies && copy > 0 && !read_word(copies, 8 * ((unsigned)copy + 1), &first))
            return false;
    }
    *offset = (int64_t)(instr - first);
    return true;
}

bool cs_python_place_find(const struct cs_python_layout *layout, const struct cs_python_types *types, uint64_t frame,
                          struct cs_python_place *place)
{
    uint64_t code, file, name, lines, bytes;
    int32_t first_line;
    int64_t offset;
    if (!read_word(frame, layout->frame_code, &code))
        return false;
    code &= ~(uint64_t)7;
    if (!has_type(layout, code, types->code) || !read_word(code, layout->code_file, &file) ||
        !read_word(code, layout->code_name, &name) || !read_word(code, layout->code_lines, &lines) ||
        !cs_python_read(code + layout->code_first_line, &first_line, sizeof first_line) ||
        !has_type(layout, lines, types->bytes) || !read_word(lines, layout->bytes_size, &bytes) || bytes > LINES_MOST ||
        !copy_text(layout, types, file, place->file, sizeof place->file) ||
        !copy_text(layout, types, name, place->function, sizeof place->function) ||
        !find_offset(layout, frame, code, &offset))
        return false;
    uint8_t *table = malloc(bytes + 1);
    bool found = table && cs_python_read(lines + layout->bytes_data, table, bytes);
    if (found)
        place->line = cs_python_line_find(layout->minor, table, bytes, first_line, offset);
    free(table);
    return found;
}
