#include "cli/export/export_schema.h"

#include <inttypes.h>
#include <string.h>

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

/* The functions of cli/command/sql_functions.h; location() is a look-up in the exported tables. */
static const char functions[] =
    "\n"
    "CREATE OR REPLACE MACRO pattern(words) AS regexp_replace(words, '[0-9]+', '#', 'g');\n"
    "CREATE OR REPLACE MACRO location(number) AS (\n"
    "    SELECT coalesce(f.\"function\" || coalesce(' ' || f.file || ':' || f.line,\n"
    "                                             ' in ' || regexp_replace(m.path, '.*/', ''), ''),\n"
    "                    regexp_replace(m.path, '.*/', '') || printf('+0x%x', f.\"offset\"), printf('0x%x', "
    "f.\"offset\"))\n"
    "    FROM site s JOIN frame f ON f.frame = s.frame LEFT JOIN module m ON m.module = f.module\n"
    "    WHERE s.site = number);\n"
    "CREATE OR REPLACE MACRO three_digits(value) AS\n"
    "    printf(CASE WHEN value >= 99.95 THEN '%.0f' WHEN value >= 9.995 THEN '%.1f' ELSE '%.2f' END, value::DOUBLE);\n"
    "CREATE OR REPLACE MACRO duration_of(ns) AS\n"
    "    CASE WHEN ns < 999.5 THEN printf('%.0f ns', ns::DOUBLE) WHEN ns < 999.5e3 THEN three_digits(ns / 1e3) || ' "
    "us'\n"
    "         WHEN ns < 999.5e6 THEN three_digits(ns / 1e6) || ' ms' WHEN ns < 600e9 THEN three_digits(ns / 1e9) || ' "
    "s'\n"
    "         WHEN ns < 7200e9 THEN printf('%d min %02d s', floor(ns / 60e9)::BIGINT, floor(ns / 1e9 % 60)::BIGINT)\n"
    "         ELSE printf('%d h %02d min', floor(ns / 3600e9)::BIGINT, floor(ns / 60e9 % 60)::BIGINT) END;\n"
    "CREATE OR REPLACE MACRO duration(ns) AS CASE WHEN ns < 0 THEN '-' ELSE '' END || duration_of(abs(ns));\n"
    "CREATE OR REPLACE MACRO bytes_of(number, unit) AS\n"
    "    CASE unit WHEN 0 THEN printf('%.0f B', number::DOUBLE)\n"
    "              ELSE three_digits(number / 1024.0 ** unit) || ' ' || ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', "
    "'EiB'][unit] END;\n"
    "CREATE OR REPLACE MACRO bytes(number) AS\n"
    "    CASE WHEN number < 0 THEN '-' ELSE '' END\n"
    "    || bytes_of(abs(number), len(list_filter(range(6), lambda u: abs(number) >= 1023.5 * 1024.0 ** u)));\n"
    "CREATE OR REPLACE MACRO ranges_of(sorted) AS array_to_string(list_transform(\n"
    "    list_zip(list_filter(sorted, lambda n, i: i = 1 OR sorted[i - 1] <> n - 1),\n"
    "             list_filter(sorted, lambda n, i: i = len(sorted) OR sorted[i + 1] <> n + 1)),\n"
    "    lambda r: CASE WHEN r[1] = r[2] THEN r[1]::VARCHAR\n"
    "                   ELSE r[1] || CASE WHEN r[1] + 1 = r[2] THEN ',' ELSE '-' END || r[2] END), ',');\n"
    "CREATE OR REPLACE MACRO ranges(number) AS\n"
    "    nullif(ranges_of(list_sort(list(DISTINCT number) FILTER (WHERE number IS NOT NULL))), '');\n";

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
    fputs(") WHERE found <> written;\n", stream);
    fputs(functions, stream);
}
