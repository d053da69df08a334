/*
 * start BATCH: how long a machine takes to begin and end, beside as many processes that are forked
 * and end at once.
 */
#include "figures.h"
#include <sys/wait.h>

int main(int argc, char **argv)
{
    int p = bsp_nprocs(), batch = argc > 1 ? atoi(argv[1]) : 0; /* one a run */
    double begin = now();
    for (int q = 1; q < p; q++)
        if (fork() == 0)
            _exit(0);
    while (wait(NULL) > 0)
        ;
    double forked = now();
    bsp_begin(p);
    bsp_sync();
    bsp_end();
    double ended = now();
    printf("start %d %d %.0f %.0f\n", p, batch, forked - begin, ended - forked);
    return 0;
}
