/* The status of one processor counts for the launcher, which then ends all that still run. */
// processors: 4
// output: processor 0 of 4
// output: processor 1 of 4
// output: processor 2 of 4
// output: processor 3 of 4
// unordered
// status: 3
// engine: openmpi
#include <pub.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    t_bsp bsp;
    int me, p;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    me = bsp_pid(&bsp);
    p = bsp_nprocs(&bsp);
    bsplib_done();
    printf("processor %d of %d\n", me, p);
    if (me != 1)
        return 0;
    /* Nothing tells it when the others have ended: they have much time. */
    fflush(stdout);
    sleep(3);
    exit(3);
}
