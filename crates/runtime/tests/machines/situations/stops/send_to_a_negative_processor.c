/* A negative number. */
// expect: bsp_send at {here}: there is no processor -2
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_send(&bsp, -2, &bsp, 1); /* here */
    bsplib_done();
    return 0;
}
