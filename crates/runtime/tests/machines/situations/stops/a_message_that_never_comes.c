/* All processors wait: the message names the place of each. */
// processors: 2 3 8
// expect: deadlock: all processors wait for each other .. processor 0: bsp_oblsync at {here}, superstep 1 of the machine of processors 0 to {last}: 1 of 2 messages have arrived
// deadlock: 0.5
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int next = (bsp_pid(&bsp) + 1) % bsp_nprocs(&bsp);
    bsp_send(&bsp, next, &next, sizeof next);
    bsp_oblsync(&bsp, 2); /* here */
    bsplib_done();
    return 0;
}
