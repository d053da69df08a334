/* One processor's own messages count, too. */
// processors: 1
// expect: bsp_oblsync at {here}: 0 messages were announced for superstep 1 of the machine of processor 0 alone, but at least 1 have arrived
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_send(&bsp, 0, &bsp, 1);
    bsp_oblsync(&bsp, 0); /* here */
    bsplib_done();
    return 0;
}
