#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/uncancelled.h"

/* Names from programs are printed here: they must not control the terminal. UTF-8 passes, except for the C1
   controls: 0x80 to 0x9f, alone or after 0xc2. */
static bool is_control(unsigned char byte, unsigned char before)
{
    if (byte < 0x20 || byte == 0x7f)
        return true;
    return byte >= 0x80 && byte < 0xa0 && (before < 0x80 || before == 0xc2);
}

void cs_log(const char *format, ...)
{
    CS_UNCANCELLED;
    /* The program may read errno after its MPI call: a message must not change it. */
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
    (void)written; /* stderr is closed: there is no other place for messages */
    errno = saved_errno;
}
