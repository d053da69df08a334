/* All call the same collective. */
// processors: 2 3
// expect: processor 0 is in bsp_bcast at .. processor 1 is in bsp_gather at
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x[8] = { 0 };
    if (bsp_pid(&bsp) == 1)
        bsp_gather(&bsp, 0, x, x, sizeof *x);
    else
        bsp_bcast(&bsp, 0, x, x, sizeof *x);
    bsplib_done();
    return 0;
}
