#include "cli/top/top_terminal.h"

#include <curses.h>
#include <term.h>

bool cs_top_terminal_is_known(int fd)
{
    int found;
    if (setupterm(NULL, fd, &found) != OK)
        return false;
    del_curterm(cur_term);
    return true;
}
