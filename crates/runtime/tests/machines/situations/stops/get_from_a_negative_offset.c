/* Offsets count from the beginning. */
// expect: bsp_hpget at {here}: the offset is negative: -4
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x = 0, y;
    bsp_hpget(&bsp, 0, &x, -4, &y, sizeof y); /* here */
    bsplib_done();
    return 0;
}
