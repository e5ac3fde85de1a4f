/* Files that stay open in the program's process. */
#pragma once

/* Gives an open file a high number, which programs rarely use, and which exec closes. Returns it, or -1; `low` is
 * closed. */
int cs_descriptor_raise(int low);
