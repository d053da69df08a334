/* Parts are closed in the reverse order. */
// expect: bsp_done at {here}: parts must be closed in the reverse order
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp half;
    int bounds[2] = { bsp_nprocs(&bsp) / 2, bsp_nprocs(&bsp) };
    bsp_partition(&bsp, &half, 2, bounds);
    t_bsp same;
    int q = bsp_nprocs(&half);
    bsp_partition(&half, &same, 1, &q);
    bsp_done(&half); /* here */
    bsplib_done();
    return 0;
}
