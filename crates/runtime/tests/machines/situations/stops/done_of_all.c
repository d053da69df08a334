/* The machine of all is ended by bsplib_done. */
// expect: bsp_done at {here}: this is the machine of all processors
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_done(&bsp); /* here */
    bsplib_done();
    return 0;
}
