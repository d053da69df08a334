/* NULL for the local side. */
// expect: bsp_put at {here}: .. is a null pointer
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x = 0;
    bsp_put(&bsp, 0, NULL, &x, 0, sizeof x); /* here */
    bsplib_done();
    return 0;
}
