/* A negative number of messages. */
// expect: bsp_oblsync at {here}: the number of messages is negative: -1
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_oblsync(&bsp, -1); /* here */
    bsplib_done();
    return 0;
}
