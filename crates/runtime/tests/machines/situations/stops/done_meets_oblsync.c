/* bsplib_done while another waits in bsp_oblsync. */
// processors: 2
// expect: bsp_oblsync at {here}: .. ends in bsp_oblsync on this processor, but its processor 0 is in bsp_sync or bsplib_done
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    if (bsp_pid(&bsp) > 0)
        bsp_oblsync(&bsp, 1); /* here */
    bsplib_done();
    return 0;
}
