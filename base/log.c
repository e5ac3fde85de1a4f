#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Names from programs end up here: keep them from driving the terminal. UTF-8 may pass, but not the controls beyond
   ASCII, which are 0x80 to 0x9f on their own or after 0xc2. */
static bool is_control(unsigned char byte, unsigned char before)
{
    if (byte < 0x20 || byte == 0x7f)
        return true;
    return byte >= 0x80 && byte < 0xa0 && (before < 0x80 || before == 0xc2);
}

void cs_log(const char *format, ...)
{
    /* The program may read errno after the MPI call in which we complain. */
    int saved_errno = errno;
    static const char prefix[] = "callsign: ";
    char line[1024];
    size_t length = sizeof prefix - 1;
    memcpy(line, prefix, length);
    va_list arguments;
    va_start(arguments, format);
    int wanted = vsnprintf(line + length, sizeof line - length - 1, format, arguments);
    va_end(arguments);
    if (wanted > 0)
        length += (size_t)wanted;
    if (length > sizeof line - 2)
        length = sizeof line - 2;
    for (size_t i = 0; i < length; i++)
        if (is_control((unsigned char)line[i], i ? (unsigned char)line[i - 1] : 0))
            line[i] = '?';
    line[length++] = '\n';
    ssize_t written = write(STDERR_FILENO, line, length);
    (void)written; /* nowhere left to complain */
    errno = saved_errno;
}
