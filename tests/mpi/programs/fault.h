/* Programs with wrong calls print the kind and line of each before it. */
#pragma once

#include <stdio.h>

#define FAULT(kind, ...) FAULT_IF(1, kind, __VA_ARGS__)

/* A call that is wrong only sometimes. */
#define FAULT_IF(wrong, kind, ...)                                                                                     \
    do {                                                                                                               \
        if (wrong)                                                                                                     \
            printf("fault %s %d\n", kind, __LINE__);                                                                   \
        fflush(stdout);                                                                                                \
        __VA_ARGS__;                                                                                                   \
    } while (0)
