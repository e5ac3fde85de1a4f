#include "tests/support/journal_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "callsign/debug.h"
#include "functions.h"
#include "journal/format.h"

static void grow(struct cs_built *built, size_t bytes)
{
    built->image = realloc(built->image, built->bytes + bytes);
    if (!built->image)
        abort();
    memset(built->image + built->bytes, 0, bytes);
    built->bytes += bytes;
}

struct cs_journal_header *cs_built_header(struct cs_built *built)
{
    return (struct cs_journal_header *)(void *)built->image;
}

struct cs_built cs_built_begin(void)
{
    struct cs_built built = {0};
    grow(&built, CS_JOURNAL_PAGE);
    struct cs_proc_place here = cs_proc_place("/proc");
    struct cs_journal_header header = {
        .version = CS_JOURNAL_VERSION,
        .callsign = "0.1.0",
        .byte_order = CS_JOURNAL_BYTE_ORDER,
        .header_bytes = sizeof header,
        .outcome = CS_OUTCOME_RUNNING,
        .rank = 0,
        .size = 2,
        .pid = 0x7ffffffe, /* above any kernel's limit */
        .clock_kind = CS_CLOCK_MONOTONIC,
        .process_start = 1,
        .ticks_per_second = 1000000000,
        .first = {1000, 1000, 1700000000000001000},
        .last = {9000, 9000, 1700000000000009000},
        .init_ticks = 2000,
        .used_bytes = CS_JOURNAL_PAGE,
        .run_hash = 42,
        .boot = here.boot,
        .pid_namespace = here.pid_namespace,
    };
    memcpy(header.magic, CS_JOURNAL_MAGIC, sizeof header.magic);
    memcpy(built.image, &header, sizeof header);
    return built;
}

struct cs_block *cs_built_at(struct cs_built *built, size_t block)
{
    return (struct cs_block *)(void *)(built->image + block);
}

size_t cs_built_block(struct cs_built *built, enum cs_block_type type, uint32_t thread, uint32_t item_bytes,
                      size_t bytes)
{
    size_t at = built->bytes;
    size_t whole = (sizeof(struct cs_block) + bytes + CS_JOURNAL_PAGE - 1) / CS_JOURNAL_PAGE * CS_JOURNAL_PAGE;
    grow(built, whole);
    *cs_built_at(built, at) = (struct cs_block){
        .magic = CS_BLOCK_MAGIC, .type = type, .bytes = whole, .thread = thread, .item_bytes = item_bytes};
    cs_built_header(built)->used_bytes = built->bytes;
    return at;
}

size_t cs_built_cells(struct cs_built *built, enum cs_block_type type, uint32_t thread, size_t count)
{
    size_t item_bytes = cs_cell_bytes(type);
    return cs_built_block(built, type, thread, (uint32_t)item_bytes, count * item_bytes);
}

/* The next free place of so many bytes in the block. */
static char *room(struct cs_built *built, size_t block, size_t used, size_t bytes)
{
    if (sizeof(struct cs_block) + used + bytes > cs_built_at(built, block)->bytes)
        abort();
    return built->image + block + sizeof(struct cs_block) + used;
}

void cs_built_fact(struct cs_built *built, size_t block, enum cs_fact_type type, uint64_t ticks, void *fact,
                   size_t bytes, const char *const strings[])
{
    size_t total = bytes, count = 0, whole;
    for (; strings && strings[count]; count++)
        total += strlen(strings[count]) + 1;
    struct cs_fact *head = fact;
    *head = (struct cs_fact){.type = type, .bytes = (uint32_t)bytes, .ticks = ticks};
    if (!strings)
        total += cs_fact_texts(head, &whole);
    total = (total + 7) / 8 * 8;
    head->bytes = (uint32_t)total;
    char *to = room(built, block, cs_built_at(built, block)->used, total);
    memcpy(to, fact, bytes);
    to += bytes;
    for (size_t i = 0; i < count; i++)
        to = stpcpy(to, strings[i]) + 1;
    cs_built_at(built, block)->used += total;
}

void cs_built_cell(struct cs_built *built, size_t block, const void *cell)
{
    struct cs_block *at = cs_built_at(built, block);
    memcpy(room(built, block, at->used * at->item_bytes, at->item_bytes), cell, at->item_bytes);
    at->used++;
}

void cs_built_save(const struct cs_built *built, const char *path, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(built->image, 1, bytes, file) != bytes || fclose(file) != 0)
        abort();
}

void cs_built_end(struct cs_built *built)
{
    free(built->image);
    built->image = NULL;
    built->bytes = 0;
}

void cs_built_text(struct cs_built_detail *built, unsigned key, unsigned form, const char *values, size_t bytes)
{
    size_t padded = (bytes + 7) / 8 * 8;
    struct cs_detail head = {.key = (uint16_t)key, .form = (uint16_t)form, .bytes = (uint32_t)padded};
    if (built->bytes + sizeof head + padded > sizeof built->words)
        abort();
    char *to = (char *)built->words + built->bytes;
    memcpy(to, &head, sizeof head);
    memset(to + sizeof head, 0, padded);
    memcpy(to + sizeof head, values, bytes);
    built->bytes += sizeof head + padded;
}

void cs_built_integer(struct cs_built_detail *built, unsigned key, int64_t value)
{
    cs_built_text(built, key, CS_DETAIL_INTEGER, (const char *)&value, sizeof value);
}

void cs_built_integers(struct cs_built_detail *built, unsigned key, unsigned form, int64_t were, const int64_t *values,
                       size_t here)
{
    int64_t list[64] = {were};
    if (here > 63)
        abort();
    memcpy(list + 1, values, here * sizeof *values);
    cs_built_text(built, key, form, (const char *)list, (1 + here) * sizeof *list);
}

#define FACT(type, ticks, strings, ...)                                                                                \
    cs_built_fact(built, log, type, ticks, &(__VA_ARGS__), sizeof(__VA_ARGS__), strings)

static void add_objects(struct cs_built *built, size_t log)
{
    FACT(CS_FACT_OBJECT, 2000, NULL,
         (struct cs_fact_object){.object = 1,
                                 .kind = CALLSIGN_COMMUNICATOR,
                                 .flags = CS_OBJECT_PREDEFINED,
                                 .handle = 0x44000000,
                                 .fortran_handle = 0});
    FACT(CS_FACT_COMMUNICATOR, 2000, CS_STRINGS("0-1"),
         (struct cs_fact_communicator){.object = 1, .size = 2, .rank = 0, .remote_size = -1});
    FACT(CS_FACT_NAME, 2000, CS_STRINGS("MPI_COMM_WORLD"), (struct cs_fact_name){.object = 1, .origin = CALLSIGN_MPI});
    FACT(CS_FACT_OBJECT, 3000, NULL,
         (struct cs_fact_object){.object = 2,
                                 .parent = 1,
                                 .kind = CALLSIGN_COMMUNICATOR,
                                 .function = 1,
                                 .handle = 0x84000001,
                                 .fortran_handle = INT64_MIN,
                                 .site = 0x401010});
    FACT(CS_FACT_COMMUNICATOR, 3000, CS_STRINGS("0"),
         (struct cs_fact_communicator){.object = 2, .size = 1, .rank = 0, .remote_size = -1, .topology = 2});
    FACT(CS_FACT_NAME, 3100, CS_STRINGS("rows"),
         (struct cs_fact_name){.object = 2, .origin = CALLSIGN_PROGRAM, .site = 0x401020});
    FACT(CS_FACT_NAME, 3200, CS_STRINGS("lines"),
         (struct cs_fact_name){.object = 2, .origin = CALLSIGN_PROGRAM, .site = 0x401020});
    FACT(CS_FACT_READY, 3300, NULL, (struct cs_fact_ready){.object = 2});
    FACT(CS_FACT_FREED, 5000, NULL,
         (struct cs_fact_freed){
             .object = 2, .function = 2, .calls = 1, .site = 0x401030, .call_site = 0x401030, .call_ticks = 25});
    FACT(CS_FACT_OBJECT, 3400, NULL,
         (struct cs_fact_object){.object = 3,
                                 .kind = CALLSIGN_DATATYPE,
                                 .function = 3,
                                 .handle = 7,
                                 .fortran_handle = INT64_MIN,
                                 .site = 0x401040});
    FACT(CS_FACT_DATATYPE, 3400, NULL,
         (struct cs_fact_datatype){
             .object = 3, .combiner = 3, .size_bytes = 32, .lower_bound_bytes = -8, .extent_bytes = 64});
    FACT(CS_FACT_COMMIT, 3500, NULL, (struct cs_fact_commit){.object = 3});
    FACT(CS_FACT_COMMIT, 3600, NULL, (struct cs_fact_commit){.object = 3});
    FACT(
        CS_FACT_OBJECT, 3700, NULL,
        (struct cs_fact_object){.object = 4, .parent = 2, .kind = CALLSIGN_WINDOW, .function = 4, .fortran_handle = 5});
    FACT(CS_FACT_WINDOW, 3700, NULL,
         (struct cs_fact_window){.object = 4,
                                 .communicator = 2,
                                 .flavor = 2,
                                 .model = 2,
                                 .base = 0x7000,
                                 .size_bytes = 800,
                                 .displacement_unit_bytes = 8});
}

/* A file and a datatype made of another, with the arguments of the calls that made them. */
static void add_details(struct cs_built *built, size_t log)
{
    struct {
        struct cs_fact_object head;
        uint64_t detail[64];
    } fact = {.head = {.object = 5, .kind = CALLSIGN_FILE, .function = CS_MPI_File_open, .fortran_handle = INT64_MIN}};
    struct cs_built_detail detail = {0};
    cs_built_text(&detail, CS_DETAIL_FILENAME, CS_DETAIL_TEXT, "/data/out.dat", sizeof "/data/out.dat");
    cs_built_text(&detail, CS_DETAIL_AMODE, CS_DETAIL_TEXT, "create|rdwr", sizeof "create|rdwr");
    cs_built_text(&detail, CS_DETAIL_INFO, CS_DETAIL_PAIRS, "hint\0\"yes\"\0", 11);
    memcpy(fact.detail, detail.words, detail.bytes);
    fact.head.detail_bytes = (uint16_t)detail.bytes;
    cs_built_fact(built, log, CS_FACT_OBJECT, 3800, &fact, sizeof fact.head + detail.bytes, CS_STRINGS(""));
    detail = (struct cs_built_detail){0};
    cs_built_integer(&detail, CS_DETAIL_COUNT, 2);
    cs_built_integers(&detail, CS_DETAIL_BLOCKLENGTHS, CS_DETAIL_INTEGERS, 2, (const int64_t[]){1, 2}, 2);
    cs_built_integers(&detail, CS_DETAIL_DISPLACEMENTS, CS_DETAIL_INTEGERS, 40, (const int64_t[]){0, -8}, 2);
    cs_built_integers(&detail, CS_DETAIL_TYPES, CS_DETAIL_OBJECTS, 2, (const int64_t[]){3, 3}, 2);
    memcpy(fact.detail, detail.words, detail.bytes);
    fact.head = (struct cs_fact_object){.object = 6,
                                        .parent = 3,
                                        .kind = CALLSIGN_DATATYPE,
                                        .function = CS_MPI_Type_create_struct,
                                        .fortran_handle = INT64_MIN,
                                        .detail_bytes = (uint16_t)detail.bytes};
    cs_built_fact(built, log, CS_FACT_OBJECT, 3900, &fact, sizeof fact.head + detail.bytes, CS_STRINGS(""));
}

static void add_rest(struct cs_built *built, size_t log)
{
    FACT(CS_FACT_META, 1000, CS_STRINGS("program", "/opt/app/a.out"), (struct cs_fact_meta){{0}});
    FACT(CS_FACT_META, 1000, CS_STRINGS("mpi", "Some MPI 1.0"), (struct cs_fact_meta){{0}});
    FACT(CS_FACT_META, 2100, CS_STRINGS("thread_level", "MPI_THREAD_MULTIPLE"), (struct cs_fact_meta){{0}});
    FACT(CS_FACT_MODULE, 1000, CS_STRINGS("/opt/app/a.out", "00ff"),
         (struct cs_fact_module){.base = 0x400000, .begin = 0x400000, .end = 0x410000});
    FACT(CS_FACT_KEYVAL, 1500, CS_STRINGS("MPI_TAG_UB"),
         (struct cs_fact_keyval){.keyval = 100, .kind = CALLSIGN_COMMUNICATOR});
    FACT(CS_FACT_KEYVAL, 2500, CS_STRINGS(""),
         (struct cs_fact_keyval){
             .keyval = 101, .kind = CALLSIGN_COMMUNICATOR, .function = 5, .site = CS_SITE_STACK | 1});
    FACT(CS_FACT_CALLBACKS, 2500, CS_STRINGS("MPI_COMM_DUP_FN", ""),
         (struct cs_fact_callbacks){.object = 7,
                                    .keyval = 101,
                                    .kind = CALLSIGN_COMMUNICATOR,
                                    .language = CS_LANGUAGE_F08,
                                    .delete_site = 0x401050,
                                    .extra_state = -4});
    FACT(CS_FACT_REFUSED_NAME, 3300, CS_STRINGS("MPI_ERR_TYPE"),
         (struct cs_fact_refused_name){.kind = CALLSIGN_DATATYPE, .site = 0x401020});
    FACT(CS_FACT_HOLDERS, 2600, NULL, (struct cs_fact_holders){.object = 7, .holders = 2});
    FACT(CS_FACT_PLACEMENT, 1100, CS_STRINGS("", "0-3"),
         (struct cs_fact_placement){.cpu = 2, .reason = CS_PLACED_START});
    FACT(CS_FACT_PLACEMENT, 8000, CS_STRINGS("node7", "0-3"),
         (struct cs_fact_placement){.cpu = 3, .reason = CS_PLACED_END});
    FACT(CS_FACT_CPU, 1100, CS_STRINGS("2-3", ""),
         (struct cs_fact_cpu){.cpu = 2, .core = 1, .package = 0, .numa_node = -1});
    struct {
        struct cs_fact_stack head;
        uint64_t address[2];
    } stack = {{.stack = 1, .count = 2}, {0x401090, 0x4010a0}};
    cs_built_fact(built, log, CS_FACT_STACK, 2400, &stack, sizeof stack, NULL);
    FACT(CS_FACT_ERROR, 1060, CS_STRINGS("MPI_ERR_KEYVAL"), (struct cs_fact_error){.error = 48});
    FACT(CS_FACT_RULE, 1050, CS_STRINGS("parent=rows -> \"row {n}\""), (struct cs_fact_rule){.rule = 3});
    FACT(CS_FACT_EXCLUDED, 4000, NULL,
         (struct cs_fact_excluded){.parent = 1, .number = 2, .family = 77, .function = 1, .site = 0x401090});
    FACT(CS_FACT_PENDING, 5000, NULL,
         (struct cs_fact_pending){.object = 2, .requests = 3, .function = 6, .site = 0x401090});
    FACT(CS_FACT_FAILED_CALL, 4000, CS_STRINGS("MPI_ERR_RANK"),
         (struct cs_fact_failed_call){.object = 1, .function = 1, .peer = 9, .tag = 7, .site = 0x401090});
    FACT(CS_FACT_PCONTROL, 4000, NULL, (struct cs_fact_pcontrol){.level = 0});
    FACT(CS_FACT_MISUSE, 4100, NULL,
         (struct cs_fact_misuse){
             .kind = CS_MISUSE_INVALID_RANK, .function = 1, .object = 1, .value = 9, .site = 0x401090});
}

/* On processor 2, which it left, on 3, and asked once. */
static void add_places(struct cs_built *built, uint32_t thread)
{
    size_t cpus = cs_built_cells(built, CS_BLOCK_CPU, thread, 2);
    cs_built_cell(
        built, cpus,
        &(struct cs_cpu_cell){.calls = 1, .first_ticks = 2100, .last_ticks = 2200, .thread = thread, .cpu = 2});
    cs_built_cell(built, cpus,
                  &(struct cs_cpu_cell){
                      .arrived_calls = 1, .first_ticks = 2300, .moves = 1, .thread = thread, .cpu = 3, .here = 1});
    size_t moves = cs_built_cells(built, CS_BLOCK_MOVE, thread, 2);
    cs_built_cell(built, moves, &(struct cs_move_cell){.number = 1, .ticks = 2300, .thread = thread, .cpu = 3});
    cs_built_cell(built, moves, &(struct cs_move_cell){.ticks = 1}); /* being written */
    size_t answers = cs_built_cells(built, CS_BLOCK_ANSWER, thread, 1);
    cs_built_cell(
        built, answers,
        &(struct cs_answer_cell){
            .site = 0x401070, .name = "node7", .calls = 2, .first_ticks = 2500, .last_ticks = 2600, .thread = thread});
}

static void add_traffic(struct cs_built *built, uint32_t thread)
{
    const struct cs_traffic_cell cells[] = {
        {.object = 1, .peer = 1, .direction = CS_SEND, .world = 1, .messages = 3, .bytes = 24, .ticks = 30},
        {.object = 1,
         .peer = 1,
         .direction = CS_RECEIVE,
         .world = thread ? -1 : 1,
         .messages = 2 + thread,
         .bytes = 16,
         .ticks = 20},
        {.object = 2, .peer = 0, .direction = CS_SEND, .world = 0, .messages = thread ? -1 : 1},
        {.object = 1, .peer = CS_PEER_NULL, .direction = CS_SEND, .world = -1, .messages = 1},
        {.object = 1, .peer = CS_PEER_OTHERS, .direction = CS_RECEIVE, .world = -1, .messages = 5, .bytes = 40},
        {.object = 4, .peer = 1, .direction = CS_PUT, .world = 1, .messages = 1, .bytes = 8, .ticks = 5},
        {.object = 9, .peer = 7}, /* handed out, not yet valid */
    };
    size_t block = cs_built_cells(built, CS_BLOCK_TRAFFIC, thread, sizeof cells / sizeof *cells);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        cs_built_cell(built, block, &cells[i]);
}

static void add_tags(struct cs_built *built, uint32_t thread)
{
    const struct cs_tag_cell cells[] = {
        {.site = 0x401090, .object = 1, .tag = 7, .direction = CS_SEND, .messages = 3},
        {.site = 0x401090, .object = 1, .tag = 7, .direction = CS_RECEIVE, .messages = 2 + thread},
        {.site = 0x401090,
         .object = 1,
         .tag = 1024,
         .direction = CS_SEND,
         .range = 12,
         .largest = thread ? 1900 : 1100,
         .messages = 1},
        {.site = 0x401090, .object = 2, .tag = 8, .direction = CS_SEND, .messages = thread ? UINT64_MAX : 1},
        {.site = 0x401090, .object = 9, .tag = 9}, /* handed out, not yet valid */
    };
    size_t block = cs_built_cells(built, CS_BLOCK_TAG, thread, sizeof cells / sizeof *cells);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        cs_built_cell(built, block, &cells[i]);
}

/* Messages both ways, one-sided, to nobody, to too many; tags and a range of tags; one message more than another
   thread, and for each thread but the first one taken back that the first one counted. */
static void add_envelopes(struct cs_built *built, uint32_t thread)
{
    add_traffic(built, thread);
    add_tags(built, thread);
}

static void add_thread(struct cs_built *built, uint32_t thread)
{
    size_t state = cs_built_cells(built, CS_BLOCK_THREAD, thread, 1);
    cs_built_cell(built, state,
                  &(struct cs_thread_state){.thread = thread,
                                            .tid = 100 + thread,
                                            .function = thread == 1 ? 2 : 6,
                                            .doing = thread == 1 ? CS_THREAD_INSIDE : CS_THREAD_OUTSIDE,
                                            .object = 1,
                                            .peer = 1,
                                            .tag = CS_NO_TAG,
                                            .bytes = thread == 1 ? 24 : CS_NO_BYTES,
                                            .site = 0x401070,
                                            .since_ticks = thread == 1 ? 8500 : 7000,
                                            .until_ticks = 7300,
                                            .mpi_ticks = 300,
                                            .calls = 3,
                                            .threads = 1 + 4 * thread,
                                            .began_ticks = 2500,
                                            .lived_ticks = 40 * thread,
                                            .course_interval = 1 << 16});
    size_t profile = cs_built_cells(built, CS_BLOCK_PROFILE, thread, 2);
    cs_built_cell(built, profile,
                  &(struct cs_profile_cell){.site = 0x401070,
                                            .object = 1,
                                            .function = 6,
                                            .size_class = 4,
                                            .calls = 2,
                                            .ticks = 100,
                                            .min_ticks = 10 + thread,
                                            .max_ticks = 90 + thread,
                                            .sent_bytes = 16,
                                            .received_bytes = 8});
    cs_built_cell(built, profile,
                  &(struct cs_profile_cell){.object = 0, .function = 7, .ticks = 50, .min_ticks = UINT64_MAX});
    cs_built_cell(built, profile, &(struct cs_profile_cell){.min_ticks = UINT64_MAX}); /* handed out, not yet valid */
    size_t attributes = cs_built_cells(built, CS_BLOCK_ATTRIBUTE, thread, 1);
    cs_built_cell(built, attributes,
                  &(struct cs_attribute_cell){.site = 0x401080,
                                              .object = 1,
                                              .keyval = 100,
                                              .operation = CS_ATTRIBUTE_GET,
                                              .found = 1,
                                              .value_kind = CS_VALUE_INTEGER,
                                              .value = 32767,
                                              .calls = 5,
                                              .first_ticks = 6000 + thread,
                                              .last_ticks = 7000 + thread});
    cs_built_cell(built, attributes,
                  &(struct cs_attribute_cell){.site = 0x401080,
                                              .object = 1,
                                              .keyval = 100,
                                              .operation = CS_ATTRIBUTE_DELETE,
                                              .kind = CALLSIGN_COMMUNICATOR,
                                              .value_kind = CS_VALUE_ERROR,
                                              .value = 48,
                                              .calls = 2,
                                              .first_ticks = 6000,
                                              .last_ticks = 7000});
    size_t comparisons = cs_built_cells(built, CS_BLOCK_COMPARISON, thread, 2);
    cs_built_cell(built, comparisons,
                  &(struct cs_comparison_cell){.site = 0x401080,
                                               .first = 1,
                                               .second = 2,
                                               .answer = CS_COMPARED_CONGRUENT,
                                               .kind = CALLSIGN_COMMUNICATOR,
                                               .calls = 4,
                                               .first_ticks = 6000 + thread,
                                               .last_ticks = 7000 + thread});
    cs_built_cell(built, comparisons, &(struct cs_comparison_cell){.first = 3}); /* handed out, not yet valid */
    add_places(built, thread);
    add_envelopes(built, thread);
}

/* Calls on the communicator that is freed later: the first, and the last ones but one that is being written. */
static void add_synchronizations(struct cs_built *built, size_t log)
{
    FACT(CS_FACT_SYNCHRONIZATION, 3350, NULL, (struct cs_fact_synchronization){.object = 2, .point = {1, 3300, 3350}});
    size_t cells = cs_built_cells(built, CS_BLOCK_SYNCHRONIZATION, 0, 2);
    cs_built_cell(
        built, cells,
        &(struct cs_synchronization_cell){.object = 2, .last = {{0, 4100, 0}, {5, 4000, 4050}, {6, 0, 4080}}});
    cs_built_cell(built, cells, &(struct cs_synchronization_cell){.last = {{7, 1, 1}}}); /* not yet valid */
}

struct cs_built cs_built_sample(void)
{
    struct cs_built built = cs_built_begin();
    size_t log = cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4000);
    add_rest(&built, log);
    add_objects(&built, log);
    add_details(&built, cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 4000));
    add_thread(&built, 0);
    add_thread(&built, 1);
    add_synchronizations(&built, cs_built_block(&built, CS_BLOCK_LOG, 0, 0, 400));
    return built;
}
