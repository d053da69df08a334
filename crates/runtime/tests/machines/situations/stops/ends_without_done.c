/* The end of main without bsplib_done. */
// expect: of {p}: the program ended before bsplib_done
#include <pub.h>

int main(void)
{
    t_bsp bsp;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_sync(&bsp);
    return 0;
}
