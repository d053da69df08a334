/* Bounds ascend. */
// expect: bsp_partition at {here}: part 1 ends before processor 0, but the one before it ends before processor 1
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp part;
    int bounds[3] = { 1, 0, bsp_nprocs(&bsp) };
    bsp_partition(&bsp, &part, 3, bounds); /* here */
    bsplib_done();
    return 0;
}
