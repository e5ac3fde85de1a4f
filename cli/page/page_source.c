#include "cli/page/page_source.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/log.h"
#include "base/output_file.h"
#include "base/path.h"
#include "cli/rows/location.h"
#include "cli/rows/rows.h"
#include "cli/text/html.h"
#include "cli/text/text.h"

enum {
    AROUND = 4,       /* lines before and after the call */
    LINE_BYTES = 300, /* of a line that is shown */
    FILE_BYTES_MOST = 8 << 20,
};

/* A module that somebody else built may name any file as its source. Only source files are shown. */
static bool is_source_file(const char *path)
{
    static const char *const endings[] = {"c",   "cc",  "cpp", "cxx", "C",   "cu",  "h",   "hh",  "hip", "hpp", "hxx",
                                          "inl", "ipp", "tpp", "f",   "for", "f77", "f90", "f95", "f03", "f08", "F",
                                          "F77", "F90", "F95", "F03", "F08", "py",  "pyx", "jl",  "rs",  "d",   "m"};
    const char *dot = strrchr(cs_path_name(path), '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot + 1, endings[i]) == 0)
            return true;
    return false;
}

/* Where source files may be, and what was found. */
struct sources {
    const char *folder; /* that the user named; NULL: none */
    struct stat owner;  /* of the run */
    size_t written;     /* sites */
    size_t outside;     /* sites whose file is elsewhere */
    char example[PATH_MAX];
};

/* `path` has no links. */
static bool is_below(const char *path, const char *folder)
{
    char real[PATH_MAX];
    if (!folder || !*folder || !realpath(folder, real))
        return false;
    size_t length = strlen(real);
    return strncmp(path, real, length) == 0 && (path[length] == '/' || real[length - 1] == '/');
}

/* Opens a path without links, even if one is put there meanwhile. */
static int open_without_links(const char *path)
{
    int folder = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    while (folder >= 0) {
        char part[NAME_MAX + 1];
        path += strspn(path, "/");
        size_t length = strcspn(path, "/");
        bool last = !path[length];
        snprintf(part, sizeof part, "%.*s", (int)length, path);
        int next = openat(folder, part,
                          O_NOFOLLOW | O_CLOEXEC | (last ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_PATH | O_DIRECTORY));
        close(folder);
        if (last)
            return next;
        folder = next;
        path += length;
    }
    return -1;
}

static bool may_show(const struct stat *about, const struct sources *sources)
{
    return S_ISREG(about->st_mode) && about->st_size <= FILE_BYTES_MOST &&
           (about->st_uid == sources->owner.st_uid || about->st_mode & S_IROTH);
}

static FILE *open_allowed(const char *path, const struct sources *sources)
{
    struct stat about;
    struct cs_owner before;
    bool acting = geteuid() == 0; /* root shows what the owner of the run may read */
    if (acting && !cs_owner_begin(&sources->owner, &before))
        return NULL;
    int file = open_without_links(path);
    if (acting)
        cs_owner_end(&before);
    FILE *stream = file >= 0 && fstat(file, &about) == 0 && may_show(&about, sources) ? fdopen(file, "r") : NULL;
    if (stream)
        cs_output_narrow(&about);
    else if (file >= 0)
        close(file);
    return stream;
}

/* NULL, logged: its lines may be others than those of the run. */
static FILE *unless_newer(FILE *source, const char *path, int64_t unchanged_ns)
{
    struct stat about;
    if (!source || (fstat(fileno(source), &about) == 0 && cs_file_changed_ns(&about) <= unchanged_ns))
        return source;
    fclose(source);
    cs_location_note_lost(path, CS_LOST_CHANGED);
    return NULL;
}

/* NULL: there is no such file that may be shown. */
static FILE *open_source(const char *path, const char *build, int64_t unchanged_ns, struct sources *sources)
{
    char real[PATH_MAX];
    if (!realpath(path, real) || !is_source_file(real))
        return NULL;
    if (is_below(real, *build ? build : ".") || is_below(real, sources->folder))
        return unless_newer(open_allowed(real, sources), real, unchanged_ns);
    if (!sources->outside++)
        strcpy(sources->example, real);
    return NULL;
}

/* Writes tabs as spaces, since a browser would show their number only. */
static void write_source_line(FILE *stream, char *text, ssize_t length, int number, bool called)
{
    char spaced[LINE_BYTES + 8];
    size_t used = 0;
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    for (ssize_t i = 0; i < length && used < LINE_BYTES; i++) {
        size_t wide = text[i] == '\t' ? 8 - used % 8 : 1;
        memset(spaced + used, text[i] == '\t' || text[i] == '\0' ? ' ' : text[i], wide);
        used += wide;
    }
    spaced[used] = '\0';
    fprintf(stream, "%s%5d  ", called ? "<mark>" : "", number);
    cs_html_text(stream, spaced, 0);
    fputs(called ? "</mark>\n" : "\n", stream);
}

/* Writes the lines around this one. Returns false if the file has no such line. */
static bool write_lines(FILE *stream, FILE *source, int line)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    bool reached = false;
    for (int number = 1; number <= line + AROUND && (length = getline(&text, &room, source)) >= 0; number++) {
        if (number >= line - AROUND)
            write_source_line(stream, text, length, number, number == line);
        reached = reached || number == line;
    }
    free(text);
    return reached;
}

static enum cs_status write_site(const struct cs_report_output *output, struct cs_rows *row, struct sources *sources)
{
    char path[PATH_MAX], build[PATH_MAX], *lines = NULL;
    size_t length = 0;
    int line = 0;
    int64_t unchanged_ns = 0;
    const char *location = cs_rows_text(row, "location");
    if (!cs_location_source(output->db, output->resolver, cs_rows_integer(row, "site"), path, build, sizeof path, &line,
                            &unchanged_ns))
        return CS_OK;
    FILE *source = open_source(path, build, unchanged_ns, sources),
         *memory = source ? open_memstream(&lines, &length) : NULL;
    bool found = memory && write_lines(memory, source, line);
    if (memory && fclose(memory) != 0)
        found = false;
    if (found) {
        fputs("<details class=\"source\" open data-location=\"", output->stream);
        cs_html_text(output->stream, location, 0);
        fputs("\"><summary>", output->stream);
        cs_html_text(output->stream, cs_rows_text(row, "functions"), 0);
        fputs(" at ", output->stream);
        cs_html_text(output->stream, location, 0);
        fputs("</summary>\n<pre>", output->stream);
        fwrite(lines, 1, length, output->stream);
        fputs("</pre></details>\n", output->stream);
        sources->written++;
    }
    if (source)
        fclose(source);
    free(lines);
    return source && !memory ? CS_NO_MEMORY : CS_OK;
}

enum cs_status cs_page_write_source(const struct cs_report_output *output, const struct cs_run_info *info,
                                    const char *folder)
{
    static const char sql[] =
        "SELECT location(charged(site)) AS location, min(site) AS site, group_concat(DISTINCT function) AS functions\n"
        "FROM call_sites WHERE percent IS NOT NULL GROUP BY 1 ORDER BY sum(seconds) DESC, 1 LIMIT 40";
    struct sources sources = {.folder = folder, .owner = info->folder};
    enum cs_status status = CS_OK;
    fputs("<section id=\"source\">\n<h2>Source</h2>\n<p class=\"lead\">Lines around the calls that take the most "
          "time, as their files are now.</p>\n",
          output->stream);
    struct cs_rows row = cs_rows_begin(output->db, sql);
    while (status == CS_OK && cs_rows_next(&row))
        status = write_site(output, &row, &sources);
    enum cs_status ended = cs_rows_end(&row);
    if (sources.outside) {
        char word[CS_SHELL_WORD_BYTES];
        cs_log("%zu call sites are in files outside of the folder where they were compiled, the first in %s: "
               "--source-path FOLDER shows them",
               sources.outside, cs_shell_word(sources.example, word));
    }
    if (!sources.written)
        fputs("<p>No source file of a call site was found here.</p>\n", output->stream);
    fputs("</section>\n", output->stream);
    return status == CS_OK ? ended : status;
}
