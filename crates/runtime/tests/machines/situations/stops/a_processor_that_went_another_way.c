/* A barrier of a part, and one of its parent. */
// processors: 2 3 8
// expect: deadlock: all processors wait .. processor 0: bsp_sync at {here}, superstep 1 of the machine of processors 0 to {last}: waits for
// deadlock: 0.5
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    if (bsp_pid(&bsp) > 0) {
        t_bsp part;
        int p = bsp_nprocs(&bsp);
        bsp_partition(&bsp, &part, 1, &p);
        bsp_sync(&part);
    }
    bsp_sync(&bsp); /* here */
    bsplib_done();
    return 0;
}
