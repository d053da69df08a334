/* Access within the area. */
// expect: bsp_put at {here}: offset 1 with 4 bytes reaches beyond the 4 bytes that processor 0 registered
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x = 0;
    bsp_push_reg(&bsp, &x, sizeof x);
    bsp_sync(&bsp);
    bsp_put(&bsp, 0, &x, &x, 1, sizeof x); /* here */
    bsplib_done();
    return 0;
}
