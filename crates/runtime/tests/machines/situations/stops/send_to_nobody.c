/* A processor that does not exist. */
// expect: bsp_send at {here}: there is no processor {p}; the machine has {p}
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_send(&bsp, bsp_nprocs(&bsp), &bsp, 1); /* here */
    bsplib_done();
    return 0;
}
