/* A root that does not exist. */
// expect: bsp_scatter at {here}: there is no processor {p}
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x[8] = { 0 };
    bsp_scatter(&bsp, bsp_nprocs(&bsp), x, x, 4); /* here */
    bsplib_done();
    return 0;
}
