#include "cli/export/zstd_stream.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>

#include "base/log.h"

/* As in zstd.h since version 1.4.0: a stable interface, https://facebook.github.io/zstd/zstd_manual.html. */
struct input {
    const void *bytes;
    size_t size, position;
};

struct output {
    void *bytes;
    size_t size, position;
};

enum directive { CONTINUE = 0, END = 2 };

static struct {
    void *(*create)(void);
    size_t (*free)(void *context);
    size_t (*compress)(void *context, struct output *output, struct input *input, enum directive directive);
    unsigned (*is_error)(size_t code);
} zstd;

bool cs_zstd_open(void)
{
    void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL); /* stays until the process ends */
    if (library) {
        *(void **)&zstd.create = dlsym(library, "ZSTD_createCCtx");
        *(void **)&zstd.free = dlsym(library, "ZSTD_freeCCtx");
        *(void **)&zstd.compress = dlsym(library, "ZSTD_compressStream2");
        *(void **)&zstd.is_error = dlsym(library, "ZSTD_isError");
    }
    if (zstd.create && zstd.free && zstd.compress && zstd.is_error)
        return true;
    cs_log("--zstd needs libzstd.so.1 (Debian: libzstd1), which is not here; without --zstd files are not compressed");
    return false;
}

struct stream {
    void *context;
    FILE *file;
};

/* Compresses and writes; false: errno says why. */
static bool pass(struct stream *stream, struct input *input, enum directive directive)
{
    char buffer[1 << 16];
    size_t left;
    do {
        struct output output = {.bytes = buffer, .size = sizeof buffer};
        left = zstd.compress(stream->context, &output, input, directive);
        if (zstd.is_error(left)) {
            errno = ENOMEM; /* nothing else can go wrong while compressing */
            return false;
        }
        if (fwrite(buffer, 1, output.position, stream->file) != output.position)
            return false;
    } while (directive == END ? left > 0 : input->position < input->size);
    return true;
}

static ssize_t write_stream(void *cookie, const char *bytes, size_t size)
{
    struct input input = {.bytes = bytes, .size = size};
    return pass(cookie, &input, CONTINUE) ? (ssize_t)size : 0;
}

static int close_stream(void *cookie)
{
    struct stream *stream = cookie;
    struct input nothing = {.bytes = NULL};
    bool done = pass(stream, &nothing, END);
    zstd.free(stream->context);
    done = fclose(stream->file) == 0 && done;
    free(stream);
    return done ? 0 : EOF;
}

FILE *cs_zstd_stream(FILE *file)
{
    struct stream *stream = calloc(1, sizeof *stream);
    FILE *compressing = NULL;
    if (stream) {
        *stream = (struct stream){.context = zstd.create(), .file = file};
        cookie_io_functions_t functions = {.write = write_stream, .close = close_stream};
        if (stream->context)
            compressing = fopencookie(stream, "w", functions);
        if (compressing)
            return compressing;
        if (stream->context)
            zstd.free(stream->context);
    }
    free(stream);
    fclose(file);
    errno = ENOMEM;
    return NULL;
}
