/* ... and no other part. */
// expect: bsp_partition at {here}: this processor is in a part of this machine
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp half;
    int bounds[2] = { bsp_nprocs(&bsp) / 2, bsp_nprocs(&bsp) };
    bsp_partition(&bsp, &half, 2, bounds);
    t_bsp other;
    bsp_partition(&bsp, &other, 2, bounds); /* here */
    bsplib_done();
    return 0;
}
