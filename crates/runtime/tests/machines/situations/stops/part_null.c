/* NULL for the part. */
// expect: bsp_partition at {here}: the machine object for the part is a null pointer
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int p = bsp_nprocs(&bsp);
    bsp_partition(&bsp, NULL, 1, &p); /* here */
    bsplib_done();
    return 0;
}
