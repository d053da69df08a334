/* All remove the same registrations. */
// processors: 2 3
// expect: removes one registration on processor 0 and another on processor 1
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x = 0, y = 0;
    bsp_push_reg(&bsp, &x, sizeof x);
    bsp_push_reg(&bsp, &y, sizeof y);
    bsp_sync(&bsp);
    bsp_pop_reg(&bsp, bsp_pid(&bsp) == 1 ? &x : &y);
    bsp_sync(&bsp);
    bsplib_done();
    return 0;
}
