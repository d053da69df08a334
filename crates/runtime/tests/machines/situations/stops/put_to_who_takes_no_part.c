/* A processor that registered NULL. */
// processors: 2 3
// expect: bsp_put at {here}: processor 0 has no area
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x = 0;
    bsp_push_reg(&bsp, bsp_pid(&bsp) ? &x : NULL, bsp_pid(&bsp) ? 4 : 0);
    bsp_sync(&bsp);
    if (bsp_pid(&bsp) == 1)
        bsp_put(&bsp, 0, &x, &x, 0, sizeof x); /* here */
    bsp_sync(&bsp);
    bsplib_done();
    return 0;
}
