/* NULL for the machine. */
// expect: bsp_sync at {here}: the machine object is a null pointer
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_sync(NULL); /* here */
    bsplib_done();
    return 0;
}
