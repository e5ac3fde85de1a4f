/* Programs with wrong calls print the kind and line of each before it. */
#pragma once

#include <stdio.h>

#define FAULT(kind, ...)                                                                                               \
    do {                                                                                                               \
        printf("fault %s %d\n", kind, __LINE__);                                                                       \
        fflush(stdout);                                                                                                \
        __VA_ARGS__;                                                                                                   \
    } while (0)
