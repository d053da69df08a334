/* ... and no others. */
// expect: bsp_partition at {here}: the last bound is 99, but the machine has {p} processors
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp part;
    int bounds[2] = { 1, 99 };
    bsp_partition(&bsp, &part, 2, bounds); /* here */
    bsplib_done();
    return 0;
}
