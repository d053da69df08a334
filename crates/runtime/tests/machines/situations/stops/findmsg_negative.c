/* A negative index. */
// expect: bsp_findmsg at {here}: the index is negative: -3
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_findmsg(&bsp, 0, -3); /* here */
    bsplib_done();
    return 0;
}
