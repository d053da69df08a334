/* A negative index. */
// expect: bsp_getmsg at {here}: the index is negative: -1
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_getmsg(&bsp, -1); /* here */
    bsplib_done();
    return 0;
}
