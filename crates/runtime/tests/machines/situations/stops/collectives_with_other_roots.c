/* ... with the same root. */
// processors: 2 3
// expect: processor 0 is in bsp_bcast at .. processor 1 is in bsp_bcast at
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x = 0;
    bsp_bcast(&bsp, bsp_pid(&bsp) == 1, &x, &x, sizeof x);
    bsplib_done();
    return 0;
}
