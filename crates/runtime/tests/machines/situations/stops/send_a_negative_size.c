/* A negative size. */
// expect: bsp_hpsend at {here}: the size is negative: -8
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_hpsend(&bsp, 0, &bsp, -8); /* here */
    bsplib_done();
    return 0;
}
