/* More messages than announced. */
// processors: 2 3 8
// expect: 1 message was announced for superstep 1 of the machine of processors 0 to {last}, but at least 2 have arrived
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int next = (bsp_pid(&bsp) + 1) % bsp_nprocs(&bsp);
    bsp_send(&bsp, next, &next, sizeof next);
    bsp_send(&bsp, next, &next, sizeof next);
    bsp_oblsync(&bsp, 1);
    bsp_sync(&bsp);
    bsplib_done();
    return 0;
}
