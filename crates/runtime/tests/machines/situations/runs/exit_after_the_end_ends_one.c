/* After bsplib_done a processor that calls exit ends alone; the others go on, and its status counts.
   Open MPI's launcher ends all when one has ended with a status other than 0. */
// processors: 4
// output: processor 0 of 4
// output: processor 1 of 4
// output: processor 2 of 4
// output: processor 3 of 4
// unordered
// status: 3
// not with: openmpi
#include <pub.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
    t_bsp bsp;
    int me, p;
    struct timespec pause = { 0, 0 };
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    me = bsp_pid(&bsp);
    p = bsp_nprocs(&bsp);
    bsplib_done();
    /* The first to end is neither the first nor the last one. */
    pause.tv_nsec = ((me + 2) % p) * 20000000;
    nanosleep(&pause, NULL);
    printf("processor %d of %d\n", me, p);
    if (me % 2 == 0)
        return 0;
    exit(me == 1 ? 3 : 0);
}
