/* An area is registered. */
// expect: bsp_get at {here}: no area is registered at this address
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x = 0, y;
    bsp_get(&bsp, 0, &x, 0, &y, sizeof x); /* here */
    bsplib_done();
    return 0;
}
