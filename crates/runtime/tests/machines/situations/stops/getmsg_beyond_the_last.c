/* An index that there is not. */
// expect: bsp_getmsg at {here}: there is no message 1; 1 have arrived
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_send(&bsp, bsp_pid(&bsp), &bsp, 1);
    bsp_sync(&bsp);
    bsp_getmsg(&bsp, 1); /* here */
    bsplib_done();
    return 0;
}
