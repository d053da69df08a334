/* bsp_done comes before bsplib_done. */
// processors: 2 3
// expect: bsplib_done at .. the machine of processor .. is still open; bsp_done must close it
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp half;
    int bounds[2] = { bsp_nprocs(&bsp) / 2, bsp_nprocs(&bsp) };
    bsp_partition(&bsp, &half, 2, bounds);
    bsplib_done();
    return 0;
}
