/* A t_bsp must be made. */
// expect: bsp_pid at {here}: this machine object is not open here
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp other = { 0, 0, 0, 0, 0 };
    bsp_pid(&other); /* here */
    bsplib_done();
    return 0;
}
