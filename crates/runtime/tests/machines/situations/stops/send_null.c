/* NULL for data that has bytes. */
// expect: bsp_send at {here}: the message is a null pointer
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_send(&bsp, 0, NULL, 4); /* here */
    bsplib_done();
    return 0;
}
