/* A part that is closed is no machine. */
// expect: bsp_done at {here}: this machine object is not open here
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp half;
    int bounds[2] = { bsp_nprocs(&bsp) / 2, bsp_nprocs(&bsp) };
    bsp_partition(&bsp, &half, 2, bounds);
    bsp_done(&half);
    bsp_done(&half); /* here */
    bsplib_done();
    return 0;
}
