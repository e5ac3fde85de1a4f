#include "cli/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* True: the user's character set is UTF-8. */
static bool set_locale(void)
{
    if (setlocale(LC_CTYPE, "") && strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
        return true;
    /* Only for wcwidth: names are UTF-8 whatever the user's terminal is. */
    setlocale(LC_CTYPE, "C.UTF-8");
    return false;
}

struct cs_terminal cs_terminal_of(FILE *stream)
{
    struct cs_terminal terminal = {.utf8 = set_locale()};
    bool tty = isatty(fileno(stream));
    const char *columns = getenv("COLUMNS");
    long wanted = columns ? strtol(columns, NULL, 10) : 0;
    struct winsize size;
    if (wanted > 0 && wanted < 100000)
        terminal.width = (size_t)wanted;
    else if (tty && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.width = size.ws_col;
    else if (tty)
        terminal.width = 80;
    const char *no_color = getenv("NO_COLOR"); /* https://no-color.org: set and not empty */
    const char *term = getenv("TERM");
    terminal.bold = tty && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
    return terminal;
}
