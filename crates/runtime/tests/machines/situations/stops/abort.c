/* bsp_abort ends all. */
// expect: out of luck: 7 .. bsp_abort was called by processor {last} of {p}
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    if (bsp_pid(&bsp) == bsp_nprocs(&bsp) - 1)
        bsp_abort(&bsp, "out of luck: %d\n", 7);
    bsp_sync(&bsp);
    bsplib_done();
    return 0;
}
