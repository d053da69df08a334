/* The excess is found at the latest by the next synchronisation. */
// processors: 2 3
// expect: 0 messages were announced for superstep 1 of the machine of processors 0 to {last}, but at least 1 have arrived
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    if (bsp_pid(&bsp) == 1)
        bsp_send(&bsp, 0, &bsp, 1);
    bsp_oblsync(&bsp, 0);
    if (bsp_pid(&bsp) == 1)
        bsp_send(&bsp, 0, &bsp, 1);
    bsp_oblsync(&bsp, bsp_pid(&bsp) == 0 ? 1 : 0);
    bsplib_done();
    return 0;
}
