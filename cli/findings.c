#include "cli/findings.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli/text.h"

static size_t hindrances;

static void print(const char *about, const char *format, va_list arguments)
{
    char text[3 * PATH_MAX];
    vsnprintf(text, sizeof text, format, arguments);
    printf("%-11s ", about);
    cs_text_put(stdout, text);
    putchar('\n');
}

void cs_tell(const char *about, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(about, format, arguments);
    va_end(arguments);
}

void cs_hinder(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print("PROBLEM", format, arguments);
    va_end(arguments);
    hindrances++;
}

size_t cs_hindrances(void)
{
    return hindrances;
}
