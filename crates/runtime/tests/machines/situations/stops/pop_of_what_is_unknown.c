/* Only registered addresses can be removed. */
// expect: bsp_pop_reg at {here}: no area is registered at this address
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x;
    bsp_pop_reg(&bsp, &x); /* here */
    bsplib_done();
    return 0;
}
