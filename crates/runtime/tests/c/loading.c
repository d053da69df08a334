/* loading OBJECT TIMES: loads it, runs 10 samples of it and unloads it, TIMES times; with
 * -DOWN there are regions of its own, too. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef OWN
#include "marked.h"
#endif

int main(int argc, char **argv)
{
    int i, times = argc > 2 ? atoi(argv[2]) : 1;
    for (i = 0; i < times; i++) {
        void (*plugin)(int);
        void *object = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!object) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        *(void **)&plugin = dlsym(object, "plugin");
#ifdef OWN
        {
            FRAME(g);
            BEGIN(g, 1, i, 0);
            plugin(10);
            END(g);
        }
#else
        plugin(10);
#endif
        dlclose(object);
    }
    return 0;
}
