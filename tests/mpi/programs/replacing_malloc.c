/* A malloc as programs bring their own. It puts a header before each block, and ends the program if a block of another
   malloc is freed. Programs contain it, are linked with it as a library, or are run with it preloaded. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

struct header {
    uint64_t mark; /* of this block */
    size_t size;
    size_t before; /* bytes from the memory's begin to the block */
    size_t unused;
};

static struct header *header_of(void *block)
{
    return (struct header *)block - 1;
}

static uint64_t mark_of(const void *block)
{
    return (uint64_t)(uintptr_t)block ^ 0x5be1a7c3d2f04967u;
}

static struct header *checked(void *block)
{
    static const char words[] = "replacing_malloc: a block of another malloc\n";
    if (header_of(block)->mark != mark_of(block)) {
        ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
        (void)written;
        abort();
    }
    return header_of(block);
}

void *memalign(size_t alignment, size_t size)
{
    size_t before = alignment > sizeof(struct header) ? alignment : sizeof(struct header);
    char *memory = size < PTRDIFF_MAX - before ? __libc_memalign(before, size + before) : NULL;
    if (!memory) {
        errno = ENOMEM;
        return NULL;
    }
    *header_of(memory + before) = (struct header){mark_of(memory + before), size, before, 0};
    return memory + before;
}

void free(void *block)
{
    if (!block)
        return;
    struct header *header = checked(block);
    header->mark = 0;
    __libc_free((char *)block - header->before);
}

void *malloc(size_t size)
{
    return memalign(sizeof(struct header), size);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    void *block = memalign(sizeof(struct header), bytes);
    return block ? memset(block, 0, bytes) : NULL;
}

void *realloc(void *block, size_t size)
{
    if (!block)
        return malloc(size);
    size_t former = checked(block)->size;
    void *larger = malloc(size);
    if (larger) {
        memcpy(larger, block, former < size ? former : size);
        free(block);
    }
    return larger;
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

void *valloc(size_t size)
{
    return memalign((size_t)sysconf(_SC_PAGESIZE), size);
}

void *pvalloc(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return memalign(page, (size + page - 1) / page * page);
}

size_t malloc_usable_size(void *block)
{
    return block ? checked(block)->size : 0;
}
