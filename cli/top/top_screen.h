/* callsign top on a whole terminal, with keys. */
#pragma once

#include "cli/top/top_output.h"

/* Begins the screen and reads keys. Returns false if the terminal cannot do it; that was logged. */
bool cs_top_screen_begin(void);

/* Gives the terminal back, and prints what was logged meanwhile. After a signal that ends the command it ends the
   process by that signal. */
void cs_top_screen_end(void);

/* Shows an interval. */
void cs_top_screen_show(const struct cs_top_view *view);

enum cs_top_wish { CS_TOP_GO_ON, CS_TOP_QUIT };

/* Follows keys, and shows again what they change, until this instant of the monotonic clock. While the screen is
   paused, or shows the answer of another command, it waits for a key. */
enum cs_top_wish cs_top_screen_wait(const struct cs_top_view *view, double until_ns);
