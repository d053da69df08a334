/* All register together. */
// processors: 2 3 8
// expect: processor 0 registered 1 area in this superstep (bsp_push_reg), processor 1 0
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x = 0;
    if (bsp_pid(&bsp) != 1)
        bsp_push_reg(&bsp, &x, sizeof x);
    bsp_sync(&bsp);
    bsplib_done();
    return 0;
}
