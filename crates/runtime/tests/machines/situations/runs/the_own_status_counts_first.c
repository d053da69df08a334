/* Unless its own is not 0. */
// processors: 1 2 3 8
// status: 3
#include <pub.h>

int main(void)
{
    t_bsp bsp;
    int me;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    me = bsp_pid(&bsp);
    bsplib_done();
    return me == 1 ? 5 : 3;
}
