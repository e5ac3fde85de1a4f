#include "db/trace/common_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/utf8.h"

struct common_row {
    UT_hash_handle hh;
    int64_t number;
    char key[]; /* the values */
};

struct cs_common_rows {
    sqlite3 *db;
    struct {
        sqlite3_stmt *add;
        struct common_row *first; /* NULL: none yet */
    } table[CS_ROW_COUNT];
    char *key; /* of the row that is looked for */
    size_t used, room;
};

struct cs_common_rows *cs_common_rows_create(sqlite3 *db)
{
    struct cs_common_rows *common = calloc(1, sizeof *common);
    if (common)
        common->db = db;
    return common;
}

void cs_common_rows_destroy(struct cs_common_rows *common)
{
    if (!common)
        return;
    for (size_t i = 0; i < CS_ROW_COUNT; i++) {
        sqlite3_finalize(common->table[i].add);
        CS_TABLE_FREE(common->table[i].first);
    }
    free(common->key);
    free(common);
}

int cs_value_bind(sqlite3_stmt *statement, int column, const struct cs_value *value)
{
    if (value->type == CS_VALUE_IS_INT)
        return sqlite3_bind_int64(statement, column, value->number);
    if (value->type != CS_VALUE_IS_TEXT)
        return sqlite3_bind_null(statement, column);
    char *converted;
    const char *text = cs_utf8_of(value->text, &converted);
    return text ? sqlite3_bind_text(statement, column, text, -1, converted ? free : SQLITE_STATIC) : SQLITE_NOMEM;
}

/* ---- finding ---- */

static bool is_common(enum cs_row row, int value)
{
    return !(cs_common_tables[row].own >> value & 1);
}

static bool add_to_key(struct cs_common_rows *common, const void *bytes, size_t length)
{
    return cs_array_append(&common->key, &common->used, &common->room, bytes, length);
}

/* Equal values, and only they, make equal keys. Returns false without memory. */
static bool make_key(struct cs_common_rows *common, enum cs_row row, const struct cs_value *value)
{
    bool made = true;
    common->used = 0;
    for (int i = 0; made && i < cs_row_statements[row].values; i++) {
        if (!is_common(row, i))
            continue;
        made = add_to_key(common, &(char){(char)value[i].type}, 1);
        if (made && value[i].type == CS_VALUE_IS_INT)
            made = add_to_key(common, &value[i].number, sizeof value[i].number);
        else if (made && value[i].type == CS_VALUE_IS_TEXT)
            made = add_to_key(common, value[i].text, strlen(value[i].text) + 1);
    }
    return made;
}

static int write_row(struct cs_common_rows *common, enum cs_row row, const struct cs_value *value, int64_t number)
{
    sqlite3_stmt **add = &common->table[row].add;
    int result = *add ? SQLITE_OK
                      : sqlite3_prepare_v3(common->db, cs_common_tables[row].add_common, -1, SQLITE_PREPARE_PERSISTENT,
                                           add, NULL);
    int bound = 1;
    if (result == SQLITE_OK)
        result = sqlite3_bind_int64(*add, bound, number);
    for (int i = 0; result == SQLITE_OK && i < cs_row_statements[row].values; i++)
        if (is_common(row, i))
            result = cs_value_bind(*add, ++bound, &value[i]);
    if (result != SQLITE_OK)
        return result;
    sqlite3_step(*add);
    return sqlite3_reset(*add);
}

/* Remembers the key as that of the next row. NULL: out of memory. */
static const struct common_row *remember(struct cs_common_rows *common, enum cs_row row)
{
    struct common_row *made = malloc(sizeof *made + common->used);
    if (!made)
        return NULL;
    memcpy(made->key, common->key, common->used);
    made->number = HASH_COUNT(common->table[row].first) + 1;
    CS_TABLE_ADD_UNDER(common->table[row].first, made->key, (unsigned)common->used, made);
    return made;
}

int cs_common_rows_find(struct cs_common_rows *common, enum cs_row row, const struct cs_value *value, int64_t *number)
{
    if (!make_key(common, row, value))
        return SQLITE_NOMEM;
    const struct common_row *found;
    HASH_FIND(hh, common->table[row].first, common->key, (unsigned)common->used, found);
    int result = SQLITE_OK;
    if (!found) {
        found = remember(common, row);
        result = found ? write_row(common, row, value, found->number) : SQLITE_NOMEM;
    }
    if (result == SQLITE_OK)
        *number = found->number;
    return result;
}
