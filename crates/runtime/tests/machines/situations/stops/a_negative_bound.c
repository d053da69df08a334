/* A bound is a number of processors. */
// expect: bsp_partition at {here}: bound -1 is negative
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp part;
    int bounds[2] = { -1, bsp_nprocs(&bsp) };
    bsp_partition(&bsp, &part, 2, bounds); /* here */
    bsplib_done();
    return 0;
}
