#include "cli/export/export_schema.h"

#include <inttypes.h>
#include <string.h>

#include "reports_sql.h"

/* ---- types ---- */

/* The widest type of all columns of this name. */
static enum cs_export_type find_type(const struct cs_export_table *tables, size_t count, const char *name)
{
    enum cs_export_type found = CS_EXPORT_UNKNOWN;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < tables[i].columns; k++)
            if (strcmp(tables[i].column[k].name, name) == 0 && tables[i].column[k].type > found)
                found = tables[i].column[k].type;
    return found;
}

static enum cs_export_type guess_type(const struct cs_export_table *tables, size_t count, const char *name)
{
    const char *line = strrchr(name, '_'), *last = line ? line + 1 : name;
    enum cs_export_type found = find_type(tables, count, name);
    if (found != CS_EXPORT_UNKNOWN)
        return found;
    if (strcmp(last, "seconds") == 0 || strcmp(last, "percent") == 0)
        return CS_EXPORT_REAL;
    if (strcmp(last, "ns") == 0 || strcmp(last, "bytes") == 0)
        return CS_EXPORT_INTEGER;
    found = find_type(tables, count, last);
    return found != CS_EXPORT_UNKNOWN ? found : CS_EXPORT_TEXT;
}

void cs_export_complete_types(struct cs_export_table *tables, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < tables[i].columns; k++)
            if (tables[i].column[k].type == CS_EXPORT_UNKNOWN)
                tables[i].column[k].type = guess_type(tables, count, tables[i].column[k].name);
}

/* ---- files ---- */

static const char *const json_types[] = {
    [CS_EXPORT_INTEGER] = "int64", [CS_EXPORT_REAL] = "float64", [CS_EXPORT_TEXT] = "string"};
static const char *const sql_types[] = {
    [CS_EXPORT_INTEGER] = "BIGINT", [CS_EXPORT_REAL] = "DOUBLE", [CS_EXPORT_TEXT] = "VARCHAR"};

/* Names are those of callsign's own schema: words that need no escapes. */
void cs_export_write_json(FILE *stream, const struct cs_export_table *tables, size_t count)
{
    fputs("{\"format\": \"callsign-csv\", \"version\": 1,\n\"tables\": [", stream);
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, "%s\n {\"name\": \"%s\", \"file\": \"%s\", \"rows\": %" PRIu64 ",\n  \"columns\": [",
                i ? "," : "", tables[i].name, tables[i].file, tables[i].rows);
        for (size_t k = 0; k < tables[i].columns; k++)
            fprintf(stream, "%s{\"name\": \"%s\", \"type\": \"%s\"}", k ? ", " : "", tables[i].column[k].name,
                    json_types[tables[i].column[k].type]);
        fputs("]}", stream);
    }
    fputs("]}\n", stream);
}

void cs_export_write_duckdb(FILE *stream, const struct cs_export_table *tables, size_t count)
{
    enum { DUCKDB_LONGEST = 2000000 }; /* a row, unless it is told of more */
    fputs("-- Makes the tables in DuckDB, from inside this folder: duckdb program.duckdb < load.sql\n\n", stream);
    for (size_t i = 0; i < count; i++) {
        const struct cs_export_table *table = &tables[i];
        fprintf(stream,
                "CREATE TABLE \"%s\" AS FROM read_csv('%s', header = true, auto_detect = false, delim = ',', quote = "
                "'\"',\n"
                "    escape = '\"', new_line = '\\r\\n', nullstr = '', allow_quoted_nulls = false,",
                table->name, table->file);
        if (table->longest >= DUCKDB_LONGEST)
            fprintf(stream, " max_line_size = %zu,", 2 * table->longest);
        fputs("\n    columns = {", stream);
        for (size_t k = 0; k < table->columns; k++)
            fprintf(stream, "%s'%s': '%s'", k ? ", " : "", table->column[k].name, sql_types[table->column[k].type]);
        fputs("});\n", stream);
    }
    fputs("\nSELECT error(name || ': ' || found || ' rows were read, ' || written || ' were written') AS missing FROM "
          "(\n",
          stream);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "    %sSELECT '%s' AS name, count(*) AS found, %" PRIu64 " AS written FROM \"%s\"\n",
                i ? "UNION ALL " : "", tables[i].name, tables[i].rows, tables[i].name);
    fputs(") WHERE found <> written;\n\n", stream);
    /* The functions of cli/command/sql_functions.h; location() is a look-up in the exported tables. */
    fputs(cs_sql_duckdb_functions, stream);
}
