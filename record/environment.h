/* The variables of the environment that say where ranks and threads run. */
#pragma once

/* Notes those that are set, of a fixed list, as environment.NAME; each value cut at 256 bytes. */
void cs_environment_note(void);
