/* Runs a program in the place of this command: same files, same terminal, same signals, same end. */
#ifndef CS_CLI_CHILD_H
#define CS_CLI_CHILD_H

/* Finds a program as the shell does: a name with a slash is a path, others are looked up in PATH. Returns 0 and in
 *path the file (to be freed), or an errno. */
int cs_child_look(const char *name, char **path);

/* Likewise; returns 0 or the exit code that shells use: 127 not found, 126 cannot be executed (told in one line). */
int cs_child_find(const char *name, char **path);

/* Replaces this process. Returns only on failure, with the exit code to use (told). */
int cs_child_exec(const char *path, char *const arguments[]);

/* Starts the program, passes on the signals that are sent to this process alone, and waits for it. *status is that of
   waitpid. Returns 0, or the exit code to use when it could not be started (told). */
int cs_child_wait(const char *path, char *const arguments[], int *status);

/* Ends this process as that one ended: its exit code, or killed by the same signal. Does not return. */
_Noreturn void cs_child_end_alike(int status);

#endif
