/* ... since the superstep before. */
// expect: bsp_hpput at {here}: .. was registered in this superstep
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x = 0;
    bsp_push_reg(&bsp, &x, sizeof x);
    bsp_hpput(&bsp, 0, &x, &x, 0, sizeof x); /* here */
    bsplib_done();
    return 0;
}
