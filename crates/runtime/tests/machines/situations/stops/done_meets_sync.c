/* bsplib_done while another is in bsp_sync. */
// processors: 2 3 8
// expect: processor 0 is in bsplib_done at .. processor 1 is in bsp_sync at {here}
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    if (bsp_pid(&bsp) > 0)
        bsp_sync(&bsp); /* here */
    bsplib_done();
    return 0;
}
