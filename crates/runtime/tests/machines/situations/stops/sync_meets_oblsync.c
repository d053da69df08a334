/* All must end a superstep in the same way. */
// processors: 2
// expect: superstep 1 of the machine of processors 0 to 1 ends in bsp_oblsync on this processor, but its processor 0 is in bsp_sync or bsplib_done
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    if (bsp_pid(&bsp) == 0)
        bsp_sync(&bsp);
    else
        bsp_oblsync(&bsp, 1);
    bsplib_done();
    return 0;
}
