#include "cli/top/top_screen.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cli/top/top_terminal.h"
#include "reports_sql.h"

extern char **environ;

/* What the screen shows: all subjects in short, the ranks, or one subject. */
enum page { PAGE_ALL, PAGE_RANKS, PAGE_COMMUNICATORS, PAGE_FUNCTIONS, PAGE_SITES, PAGE_OBJECTS, PAGES };

static const char *const page_titles[] = {"all", "ranks", "communicators", "functions", "call sites", "objects"};
static const char *const order_words[] = {"rank", "MPI", "calls", "bytes"};

/* A text of several lines, as a command or a table printed it. */
struct text {
    char *bytes;
    char **line;
    size_t lines;
};

static struct {
    SCREEN *terminal;
    int log, kept_stderr; /* while the screen lasts, stderr is a file */
    enum page page;
    enum cs_top_order order;
    size_t first, chosen; /* first row on the page; the chosen row of the table */
    bool paused;
    struct cs_top_filter filter;
    char filtered[128]; /* name of its communicator */
    struct text pane;   /* the answer of another command, in place of all else */
    size_t pane_first;
} screen = {.log = -1, .kept_stderr = -1};

enum { SHOWN_MOST = 1024, ESCAPE = 27 };

/* ---- texts ---- */

static void free_text(struct text *text)
{
    free(text->bytes);
    free(text->line);
    *text = (struct text){0};
}

/* Takes the bytes. */
static struct text lines_of(char *bytes)
{
    struct text text = {.bytes = bytes};
    size_t count = 1;
    for (const char *at = bytes; at && *at; at++)
        count += *at == '\n';
    text.line = bytes ? malloc(count * sizeof *text.line) : NULL;
    for (char *at = bytes; text.line && *at;) {
        text.line[text.lines++] = at;
        at += strcspn(at, "\n");
        if (*at)
            *at++ = '\0';
    }
    return text;
}

static void put_line(int row, const char *text, attr_t how)
{
    if (row >= LINES)
        return;
    attrset(how);
    mvaddstr(row, 0, text);
    clrtoeol();
    attrset(A_NORMAL);
}

/* ---- the page ---- */

static enum cs_top_subject subject_of(enum page page)
{
    return (enum cs_top_subject)(CS_TOP_COMMUNICATOR + (page - PAGE_COMMUNICATORS));
}

/* True if a row of the page can be chosen. */
static bool chooses(void)
{
    return screen.page == PAGE_RANKS || screen.page == PAGE_COMMUNICATORS;
}

static void print_page(const struct cs_top_view *view, FILE *stream, size_t rows)
{
    if (screen.page == PAGE_ALL) {
        /* four tables with a heading of two lines, and a line between them */
        size_t each = rows > 15 ? (rows - 3 - 8) / 4 : 1;
        for (int subject = 0; subject < CS_TOP_SUBJECTS; subject++) {
            if (subject)
                putc('\n', stream);
            cs_top_print_lines(view, stream, (enum cs_top_subject)subject, 0, each);
        }
    } else if (screen.page == PAGE_RANKS) {
        cs_top_print_ranks(view, stream, screen.order, screen.first, rows > 2 ? rows - 2 : 1);
    } else {
        cs_top_print_lines(view, stream, subject_of(screen.page), screen.first, rows > 2 ? rows - 2 : 1);
    }
}

static size_t show_text(const struct text *text, size_t first, int row, int end, size_t chosen)
{
    size_t shown = 0;
    for (size_t i = first; i < text->lines && row < end; i++, row++, shown++)
        put_line(row, text->line[i], i == chosen ? A_REVERSE : A_NORMAL);
    return shown;
}

static void show_keys(void)
{
    char keys[512];
    const char *pause = screen.paused ? "p go on" : "p pause";
    const char *filter = screen.filter.by_rank || screen.filter.by_communicator ? "f all" : "f only this";
    if (screen.pane.bytes)
        snprintf(keys, sizeof keys, "q back  Up, Down scroll");
    else if (screen.page == PAGE_RANKS)
        snprintf(keys, sizeof keys, "q quit  Tab %s  Enter details  %s  o by %s  %s  h hang  s snapshot",
                 page_titles[(screen.page + 1) % PAGES], filter, order_words[(screen.order + 1) % CS_TOP_ORDERS],
                 pause);
    else
        snprintf(keys, sizeof keys, "q quit  Tab %s  %s%s%s  h hang  s snapshot",
                 page_titles[(screen.page + 1) % PAGES], screen.page == PAGE_COMMUNICATORS ? filter : "",
                 screen.page == PAGE_COMMUNICATORS ? "  " : "", pause);
    put_line(LINES - 1, keys, A_REVERSE);
}

/* Prints a part of the view into lines. */
static struct text print_part(const struct cs_top_view *view, void (*print)(const struct cs_top_view *, FILE *, size_t),
                              size_t rows)
{
    char *bytes = NULL;
    size_t size;
    FILE *stream = open_memstream(&bytes, &size);
    if (!stream)
        return (struct text){0};
    print(view, stream, rows);
    fclose(stream);
    return lines_of(bytes);
}

static void print_top(const struct cs_top_view *view, FILE *stream, size_t rows)
{
    (void)rows;
    cs_top_print_head(view, stream);
    cs_top_print_strip(view, stream);
    if (screen.filter.by_rank)
        fprintf(stream, "Calls of rank %d\n", screen.filter.rank);
    if (screen.filter.by_communicator)
        fprintf(stream, "Functions and call sites on %s\n", screen.filtered);
}

void cs_top_screen_show(const struct cs_top_view *view)
{
    struct cs_top_view sized = *view;
    sized.terminal.width = (size_t)COLS;
    sized.terminal.bold = false;
    erase();
    if (screen.pane.bytes) {
        show_text(&screen.pane, screen.pane_first, 0, LINES - 1, SIZE_MAX);
    } else {
        struct text head = print_part(&sized, print_top, 0);
        int row = (int)show_text(&head, 0, 0, LINES - 1, SIZE_MAX) + 1;
        size_t rows = LINES - 1 > row ? (size_t)(LINES - 1 - row) : 0;
        struct text body = print_part(&sized, print_page, rows);
        /* the table has a heading of two lines */
        show_text(&body, 0, row, LINES - 1, chooses() ? screen.chosen - screen.first + 2 : SIZE_MAX);
        free_text(&head);
        free_text(&body);
    }
    show_keys();
    refresh();
}

/* ---- other commands ---- */

/* Reads all of a pipe, up to a limit. */
static char *read_all(int from)
{
    enum { MOST = 4 << 20 };
    size_t used = 0, room = 1 << 16;
    char *bytes = malloc(room + 1);
    ssize_t got;
    while (bytes && used < MOST && ((got = read(from, bytes + used, room - used)) > 0 || (got < 0 && errno == EINTR))) {
        used += got > 0 ? (size_t)got : 0;
        if (used == room) {
            char *grown = realloc(bytes, 2 * room + 1);
            if (!grown)
                break;
            bytes = grown;
            room *= 2;
        }
    }
    if (bytes)
        bytes[used] = '\0';
    return bytes;
}

/* Runs this program with other words, and shows what it prints. */
static void run(const char *const *words)
{
    int ends[2];
    pid_t child;
    posix_spawn_file_actions_t actions;
    char columns[32];
    snprintf(columns, sizeof columns, "%d", COLS);
    setenv("COLUMNS", columns, 1);
    put_line(LINES - 1, "reading ...", A_REVERSE);
    refresh();
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    int failed = posix_spawn(&child, "/proc/self/exe", &actions, NULL, (char **)(uintptr_t)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    unsetenv("COLUMNS"); /* curses would not see that the terminal changes its size */
    close(ends[1]);
    free_text(&screen.pane);
    if (!failed) {
        screen.pane = lines_of(read_all(ends[0]));
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    close(ends[0]);
    screen.pane_first = 0;
}

static void run_command(const struct cs_top_view *view, const char *command)
{
    const char *words[] = {"callsign", command, view->top->run, NULL};
    run(words);
}

/* NULL: none is. */
static const struct cs_top_journal *chosen_rank(const struct cs_top_view *view)
{
    size_t count;
    const struct cs_top_journal **rank = cs_top_sorted(view->top, screen.order, &count);
    const struct cs_top_journal *chosen = rank && screen.chosen < count ? rank[screen.chosen] : NULL;
    free(rank);
    return chosen;
}

/* What the threads of the chosen rank do, and its last events. */
static void run_details(const struct cs_top_view *view)
{
    const struct cs_top_journal *rank = chosen_rank(view);
    if (rank && rank->reader) {
        const char *words[] = {"callsign", "query", rank->path, cs_sql_top_details, NULL};
        run(words);
    }
}

/* ---- keys ---- */

static volatile sig_atomic_t ended_by; /* a signal; 0: none */

static size_t rows_of(const struct cs_top_view *view)
{
    size_t count = 0;
    for (size_t i = 0; i < view->top->count; i++)
        count += !view->top->journal[i].unread;
    return count;
}

/* Moves the chosen row, or the first line that is shown. */
static void move_by(const struct cs_top_view *view, int step)
{
    struct cs_top_line *line[SHOWN_MOST];
    size_t *at = screen.pane.bytes ? &screen.pane_first : chooses() ? &screen.chosen : &screen.first;
    size_t page = LINES > 9 ? (size_t)LINES - 9 : 1;
    size_t count = screen.pane.bytes         ? screen.pane.lines
                   : screen.page == PAGE_ALL ? 1
                   : screen.page == PAGE_RANKS
                       ? rows_of(view)
                       : cs_top_activity_lines(view->top->activity, subject_of(screen.page), line, SHOWN_MOST);
    if (step < 0)
        *at = *at > (size_t)-step ? *at - (size_t)-step : 0;
    else
        *at = *at + (size_t)step < count ? *at + (size_t)step : count ? count - 1 : 0;
    if (screen.pane.bytes || !chooses())
        return;
    if (screen.chosen < screen.first)
        screen.first = screen.chosen;
    if (screen.chosen >= screen.first + page)
        screen.first = screen.chosen - page + 1;
}

/* Counts only calls of the chosen rank or communicator; or all again. */
static void toggle_filter(const struct cs_top_view *view)
{
    bool filtered = screen.filter.by_rank || screen.filter.by_communicator;
    screen.filter = (struct cs_top_filter){0};
    if (!filtered && screen.page == PAGE_RANKS) {
        const struct cs_top_journal *rank = chosen_rank(view);
        if (rank)
            screen.filter = (struct cs_top_filter){.by_rank = true, .rank = rank->rank.rank};
    } else if (!filtered && screen.page == PAGE_COMMUNICATORS) {
        struct cs_top_line *line[SHOWN_MOST];
        size_t count = cs_top_activity_lines(view->top->activity, CS_TOP_COMMUNICATOR, line, SHOWN_MOST);
        if (screen.chosen < count) {
            screen.filter = (struct cs_top_filter){.by_communicator = true, .communicator = line[screen.chosen]->key};
            snprintf(screen.filtered, sizeof screen.filtered, "%s",
                     cs_top_name(view->names, view->top, line[screen.chosen]));
        }
    }
    cs_top_activity_filter(view->top->activity, screen.filter);
}

static void turn_to(enum page page)
{
    screen.page = page;
    screen.first = screen.chosen = 0;
}

/* Lines that a key scrolls; 0: it does not. */
static int step_of(int key)
{
    const int page = screen.pane.bytes ? LINES - 1 : 10;
    return key == KEY_UP ? -1 : key == KEY_DOWN ? 1 : key == KEY_PPAGE ? -page : key == KEY_NPAGE ? page : 0;
}

static enum cs_top_wish follow(const struct cs_top_view *view, int key)
{
    const int step = step_of(key);
    if (step) {
        move_by(view, step);
        return CS_TOP_GO_ON;
    }
    if (screen.pane.bytes) {
        if (key == 'q' || key == ESCAPE)
            free_text(&screen.pane);
        return CS_TOP_GO_ON;
    }
    switch (key) {
    case 'q':
        return CS_TOP_QUIT;
    case '\t':
        turn_to((enum page)((screen.page + 1) % PAGES));
        break;
    case KEY_BTAB:
        turn_to((enum page)((screen.page + PAGES - 1) % PAGES));
        break;
    case 'o':
        screen.order = (enum cs_top_order)((screen.order + 1) % CS_TOP_ORDERS);
        break;
    case 'f':
        toggle_filter(view);
        break;
    case 'p':
        screen.paused = !screen.paused;
        break;
    case 'h':
        run_command(view, "hang");
        break;
    case 's':
        run_command(view, "snapshot");
        break;
    case '\n':
    case KEY_ENTER:
        if (screen.page == PAGE_RANKS)
            run_details(view);
        break;
    default:
        if (key >= '1' && key < '1' + PAGES)
            turn_to((enum page)(key - '1'));
        break;
    }
    return CS_TOP_GO_ON;
}

enum cs_top_wish cs_top_screen_wait(const struct cs_top_view *view, double until_ns)
{
    for (;;) {
        double left = until_ns - (double)cs_clock_monotonic_ns();
        bool waits = screen.paused || screen.pane.bytes;
        if (left <= 0 && !waits)
            return CS_TOP_GO_ON;
        timeout(waits || left > 200e6 ? 200 : left > 1e6 ? (int)(left / 1e6) : 1);
        int key = getch();
        if (ended_by)
            return CS_TOP_QUIT;
        if (key == ERR)
            continue;
        if (follow(view, key) == CS_TOP_QUIT)
            return CS_TOP_QUIT;
        cs_top_screen_show(view);
    }
}

/* ---- the terminal ---- */

static void note_signal(int number)
{
    ended_by = number;
}

/* What is logged would be written over the screen. */
static void hide_log(void)
{
    screen.log = memfd_create("log", MFD_CLOEXEC);
    screen.kept_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (screen.log >= 0 && screen.kept_stderr >= 0)
        dup2(screen.log, STDERR_FILENO);
}

static void show_log(void)
{
    char text[4096];
    ssize_t got;
    if (screen.log < 0 || screen.kept_stderr < 0)
        return;
    dup2(screen.kept_stderr, STDERR_FILENO);
    close(screen.kept_stderr);
    lseek(screen.log, 0, SEEK_SET);
    while ((got = read(screen.log, text, sizeof text)) > 0)
        if (write(STDERR_FILENO, text, (size_t)got) != got)
            break;
    close(screen.log);
}

bool cs_top_screen_begin(void)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE};
    screen.terminal = cs_top_terminal_is_known(STDOUT_FILENO) ? newterm(NULL, stdout, stdin) : NULL;
    if (!screen.terminal) {
        cs_log("top: no description of the terminal %s is installed: use --once or --json",
               getenv("TERM") ? getenv("TERM") : "(TERM is not set)");
        return false;
    }
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &(struct sigaction){.sa_handler = note_signal}, NULL);
    hide_log();
    cbreak();
    noecho();
    curs_set(0);
    keypad(stdscr, TRUE);
    set_escdelay(25);
    return true;
}

void cs_top_screen_end(void)
{
    endwin();
    delscreen(screen.terminal);
    free_text(&screen.pane);
    show_log();
    if (ended_by) { /* as if it had not been handled */
        signal(ended_by, SIG_DFL);
        raise(ended_by);
    }
}
