/* Opens libraries at run time and has each do a barrier. argv: deep or plain, and a library, and so on. */
#include "check.h"

#include <dlfcn.h>

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    for (int i = 1; i + 1 < argc; i += 2) {
        int deep = strcmp(argv[i], "deep") == 0 ? RTLD_DEEPBIND : 0;
        void *library = dlopen(argv[i + 1], RTLD_LAZY | RTLD_LOCAL | deep);
        void (*work)(void) = library ? (void (*)(void))dlsym(library, "work") : NULL;
        CHECK(work);
        if (work)
            work();
    }
    CALL(MPI_Finalize)();
    return check_write();
}
