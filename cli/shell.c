#include "cli/shell.h"

#include <stdio.h>
#include <string.h>

const char *cs_shell_word(const char *path, char text[CS_SHELL_WORD_BYTES])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:,@%=";
    size_t length = strnlen(path, PATH_MAX);
    if (length && strspn(path, plain) == strlen(path)) {
        snprintf(text, CS_SHELL_WORD_BYTES, "%s", path);
        return text;
    }
    char *to = text;
    *to++ = '\'';
    for (size_t i = 0; i < length; i++) {
        if (path[i] == '\'')
            to = stpcpy(to, "'\\''");
        else
            *to++ = (unsigned char)path[i] < 0x20 || path[i] == 0x7f ? '?' : path[i];
    }
    strcpy(to, "'");
    return text;
}
