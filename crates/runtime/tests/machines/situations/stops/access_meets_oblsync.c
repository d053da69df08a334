/* Registration, put and get need a bsp_sync. */
// expect: bsp_oblsync at {here}: this superstep has registrations, puts or gets .. help: end it with bsp_sync
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x;
    bsp_push_reg(&bsp, &x, sizeof x);
    bsp_oblsync(&bsp, 0); /* here */
    bsplib_done();
    return 0;
}
