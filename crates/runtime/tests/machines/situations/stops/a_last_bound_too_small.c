/* The parts must have all processors. */
// expect: bsp_partition at {here}: the last bound is 0, but the machine has {p} processors
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp part;
    int bounds[1] = { 0 };
    bsp_partition(&bsp, &part, 1, bounds); /* here */
    bsplib_done();
    return 0;
}
