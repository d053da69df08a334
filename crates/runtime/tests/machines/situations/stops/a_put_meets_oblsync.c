/* ... also if others put to this processor. */
// processors: 2 3
// expect: ends in bsp_oblsync on this processor, but its processor
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x = 0;
    bsp_push_reg(&bsp, &x, sizeof x);
    bsp_sync(&bsp);
    if (bsp_pid(&bsp) == 0) {
        bsp_put(&bsp, 1, &x, &x, 0, sizeof x);
        bsp_sync(&bsp);
    } else {
        bsp_oblsync(&bsp, 1);
    }
    bsplib_done();
    return 0;
}
