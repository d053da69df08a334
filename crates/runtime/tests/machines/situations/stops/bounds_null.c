/* NULL for the bounds. */
// expect: bsp_partition at {here}: the array of bounds is a null pointer
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp part;
    bsp_partition(&bsp, &part, 1, NULL); /* here */
    bsplib_done();
    return 0;
}
