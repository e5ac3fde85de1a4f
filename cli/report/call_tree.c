#include "cli/report/call_tree.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "cli/rows/rows.h"
#include "db/summary/summary.h"
#include "reports_sql.h"

/* Begins paths that MPI_Init, MPI_Finalize and similar end. */
#define LIFECYCLE "(MPI_Init, MPI_Finalize);"

/* A function below its callers; the root has no path. */
struct node {
    UT_hash_handle hh;
    struct node *parent, *child, *sibling;
    size_t children;
    struct cs_call_sums sums;
    int64_t ranks;
    int64_t rank_ns; /* time on the current rank */
    bool is_touched; /* by a call of the current rank */
    int64_t most_ns, most_rank;
    bool lifecycle;
    size_t bytes;
    char path[]; /* "main;solve" */
};

/* The functions around a call site: "main;solve;". */
struct path {
    UT_hash_handle hh;
    int64_t site;
    char text[];
};

struct tree {
    struct node *root, *nodes;
    struct path *paths;
    struct node **touched; /* by calls of the current rank */
    size_t touched_count, touched_room;
    struct node **sorted; /* children of the nodes above the current one */
    size_t sorted_room;
    int64_t rows;
};

/* ---- paths ---- */

static enum cs_status add_path(struct tree *tree, int64_t site, const char *text)
{
    struct path *path = calloc(1, sizeof *path + strlen(text) + 1);
    if (!path)
        return CS_NO_MEMORY;
    path->site = site;
    strcpy(path->text, text);
    CS_TABLE_ADD(tree->paths, site, path);
    return path ? CS_OK : CS_NO_MEMORY;
}

static enum cs_status read_paths(struct tree *tree, sqlite3 *db)
{
    enum cs_status status = CS_OK;
    struct cs_rows row = cs_rows_begin(db, "SELECT site, path FROM site_paths");
    while (status == CS_OK && cs_rows_next(&row))
        status = add_path(tree, cs_rows_integer(&row, "site"), cs_rows_text(&row, "path"));
    enum cs_status ended = cs_rows_end(&row);
    return status == CS_OK ? ended : status;
}

/* "" if no function around the site is known. */
static const char *find_path(const struct tree *tree, int64_t site)
{
    const struct path *found = NULL;
    HASH_FIND(hh, tree->paths, &site, sizeof site, found);
    return found ? found->text : "";
}

/* ---- nodes ---- */

static struct node *node_new(struct tree *tree, const char *path, size_t bytes, struct node *parent)
{
    struct node *node = calloc(1, sizeof *node + bytes + 1);
    if (!node)
        return NULL;
    node->bytes = bytes;
    node->most_rank = -1;
    memcpy(node->path, path, bytes);
    CS_TABLE_ADD_UNDER(tree->nodes, node->path, node->bytes, node);
    if (!node)
        return NULL;
    node->parent = parent;
    if (parent) {
        node->sibling = parent->child;
        parent->child = node;
        parent->children++;
        node->lifecycle = parent->lifecycle || strncmp(path, LIFECYCLE, strlen(LIFECYCLE)) == 0;
    }
    return node;
}

/* The node of a path; makes it and the nodes above it. NULL: out of memory. */
static struct node *find_node(struct tree *tree, const char *path)
{
    struct node *node = tree->root;
    for (size_t end = strcspn(path, ";");; end += 1 + strcspn(path + end + 1, ";")) {
        struct node *next = NULL;
        HASH_FIND(hh, tree->nodes, path, end, next);
        node = next ? next : node_new(tree, path, end, node);
        if (!node || !path[end])
            return node;
    }
}

static void end_rank(struct tree *tree, int64_t rank)
{
    for (size_t i = 0; i < tree->touched_count; i++) {
        struct node *node = tree->touched[i];
        node->ranks++;
        if (node->most_rank < 0 || node->rank_ns > node->most_ns) {
            node->most_ns = node->rank_ns;
            node->most_rank = rank;
        }
        node->rank_ns = 0;
        node->is_touched = false;
    }
    tree->touched_count = 0;
}

/* Adds calls of the current rank to a node and all nodes above it. */
static enum cs_status add_calls(struct tree *tree, struct node *node, const struct cs_call_sums *sums)
{
    for (; node; node = node->parent) {
        if (!node->is_touched) {
            if (!cs_array_grow(&tree->touched, tree->touched_count, &tree->touched_room, sizeof *tree->touched))
                return CS_NO_MEMORY;
            tree->touched[tree->touched_count++] = node;
            node->is_touched = true;
        }
        struct cs_call_sums rank = {.time_ns = node->rank_ns};
        cs_call_sums_add(&rank, sums);
        node->rank_ns = rank.time_ns;
        cs_call_sums_add(&node->sums, sums);
    }
    return CS_OK;
}

/* "(MPI_Init, MPI_Finalize);" or "rows;", and the functions. To be freed; NULL: out of memory. */
static char *whole_path(const struct tree *tree, struct cs_rows *row)
{
    const char *function = cs_rows_text(row, "function"), *label = cs_rows_text(row, "label");
    const char *path = find_path(tree, cs_rows_integer(row, "site"));
    bool lifecycle = cs_rows_integer(row, "lifecycle");
    char *whole = NULL;
    int bytes = lifecycle ? asprintf(&whole, LIFECYCLE "%s%s", path, function)
                : label   ? asprintf(&whole, "%s;%s%s", label, path, function)
                          : asprintf(&whole, "%s%s", path, function);
    if (bytes < 0)
        return NULL;
    for (size_t i = 0; !lifecycle && label && label[i]; i++)
        whole[i] = whole[i] == ';' ? ',' : whole[i];
    return whole;
}

static enum cs_status add_row(struct tree *tree, struct cs_rows *row)
{
    const struct cs_call_sums sums = {.calls = cs_rows_integer(row, "calls"),
                                      .open = cs_rows_integer(row, "open"),
                                      .time_ns = cs_rows_integer(row, "time_ns"),
                                      .sent_bytes = cs_rows_integer(row, "sent_bytes"),
                                      .received_bytes = cs_rows_integer(row, "received_bytes")};
    char *path = whole_path(tree, row);
    struct node *node = path ? find_node(tree, path) : NULL;
    free(path);
    return node ? add_calls(tree, node, &sums) : CS_NO_MEMORY;
}

static enum cs_status read_calls(struct tree *tree, sqlite3 *db, const char *sql)
{
    enum cs_status status = CS_OK;
    int64_t rank = 0;
    struct cs_rows row = cs_rows_begin(db, sql);
    while (status == CS_OK && cs_rows_next(&row)) {
        if (cs_rows_integer(&row, "rank") != rank)
            end_rank(tree, rank);
        rank = cs_rows_integer(&row, "rank");
        status = add_row(tree, &row);
    }
    end_rank(tree, rank);
    enum cs_status ended = cs_rows_end(&row);
    return status == CS_OK ? ended : status;
}

/* ---- rows ---- */

static int by_time(const void *left, const void *right)
{
    const struct node *a = *(struct node *const *)left, *b = *(struct node *const *)right;
    if (a->lifecycle != b->lifecycle)
        return a->lifecycle - b->lifecycle;
    int order = cs_compare(b->sums.time_ns, a->sums.time_ns);
    return order ? order : strcmp(a->path, b->path);
}

/* Puts the children of a node into tree->sorted from `first` on. */
static bool sort_children(struct tree *tree, const struct node *node, size_t first)
{
    size_t count = first;
    for (struct node *child = node->child; child; child = child->sibling) {
        if (!cs_array_grow(&tree->sorted, count, &tree->sorted_room, sizeof *tree->sorted))
            return false;
        tree->sorted[count++] = child;
    }
    if (count > first)
        qsort(tree->sorted + first, count - first, sizeof *tree->sorted, by_time);
    return true;
}

/* Writes the row of a chain of nodes, from `first` to `last`. */
static enum cs_status write_row(struct tree *tree, sqlite3_stmt *insert, const struct node *first,
                                const struct node *last, int depth)
{
    const struct cs_call_sums *sums = &last->sums;
    const int64_t figures[] = {last->ranks,          sums->calls,   sums->open,      sums->time_ns,  sums->sent_bytes,
                               sums->received_bytes, last->most_ns, last->most_rank, last->lifecycle};
    size_t above = first->parent->bytes ? first->parent->bytes + 1 : 0;
    sqlite3_bind_int64(insert, 1, ++tree->rows);
    sqlite3_bind_int(insert, 2, depth);
    sqlite3_bind_text(insert, 3, last->path, (int)last->bytes, SQLITE_STATIC);
    sqlite3_bind_text(insert, 4, last->path + above, (int)(last->bytes - above), SQLITE_STATIC);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        sqlite3_bind_int64(insert, (int)i + 5, figures[i]);
    sqlite3_step(insert);
    return sqlite3_reset(insert) == SQLITE_OK ? CS_OK : CS_SQL;
}

/* True if the node has one child, and no calls of its own. */
static bool is_link(const struct node *node)
{
    if (node->children != 1)
        return false;
    const struct cs_call_sums *own = &node->sums, *below = &node->child->sums;
    return own->calls == below->calls && own->open == below->open && own->time_ns == below->time_ns &&
           own->sent_bytes == below->sent_bytes && own->received_bytes == below->received_bytes;
}

/* Depth first without recursion: paths may be long. */
static enum cs_status write_rows(struct tree *tree, sqlite3_stmt *insert)
{
    struct pending {
        size_t next, end;
    } *pending = NULL;
    size_t count = 0, room = 0;
    const struct node *node = tree->root;
    enum cs_status status = CS_OK;
    do {
        size_t first = count ? pending[count - 1].end : 0;
        if (node->children) {
            if (!cs_array_grow(&pending, count, &room, sizeof *pending) || !sort_children(tree, node, first)) {
                status = CS_NO_MEMORY;
                break;
            }
            pending[count++] = (struct pending){first, first + node->children};
        }
        while (count && pending[count - 1].next == pending[count - 1].end)
            count--;
        if (!count)
            break;
        const struct node *chain = tree->sorted[pending[count - 1].next++];
        for (node = chain; is_link(node);)
            node = node->child;
        status = write_row(tree, insert, chain, node, (int)count - 1);
    } while (status == CS_OK);
    free(pending);
    return status;
}

static enum cs_status write_table(struct tree *tree, sqlite3 *to)
{
    static const char table[] = "CREATE TABLE call_tree (line INTEGER PRIMARY KEY, depth INT, path TEXT, call TEXT,\n"
                                "    ranks INT, calls INT, open INT, time_ns INT, sent_bytes INT, received_bytes INT,\n"
                                "    most_ns INT, most_rank INT, lifecycle INT)";
    static const char row[] = "INSERT INTO call_tree VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    sqlite3_stmt *insert = NULL;
    enum cs_status status = CS_SQL;
    if (sqlite3_exec(to, table, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(to, row, -1, &insert, NULL) == SQLITE_OK)
        status = write_rows(tree, insert);
    sqlite3_finalize(insert);
    return status;
}

/* ---- the tree ---- */

static void free_tree(struct tree *tree)
{
    CS_TABLE_FREE(tree->nodes);
    CS_TABLE_FREE(tree->paths);
    free(tree->root);
    free(tree->touched);
    free(tree->sorted);
}

static enum cs_status write_tree(sqlite3 *run, const char *calls, sqlite3 *to)
{
    struct tree tree = {.root = calloc(1, sizeof *tree.root + 1)};
    enum cs_status status = tree.root ? read_paths(&tree, run) : CS_NO_MEMORY;
    if (status == CS_OK)
        status = read_calls(&tree, run, calls);
    if (status == CS_OK)
        status = write_table(&tree, to);
    free_tree(&tree);
    return status;
}

enum cs_status cs_call_tree_write(sqlite3 *run, sqlite3 *to)
{
    return write_tree(run,
                      "SELECT rank, site, name AS function, lifecycle, NULL AS label, calls, open, time_ns,\n"
                      "       sent_bytes, received_bytes\n"
                      "FROM call_times ORDER BY rank",
                      to);
}

enum cs_status cs_call_tree_write_by_communicator(sqlite3 *run, sqlite3 *to)
{
    return write_tree(run, cs_sql_call_tree_calls, to);
}
