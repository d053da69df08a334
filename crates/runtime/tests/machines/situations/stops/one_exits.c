/* exit() in one processor ends all. */
// processors: 2 3 8
// expect: processor 1 of {p}: the program ended before bsplib_done
#include <pub.h>
#include <stdlib.h>

int main(void)
{
    t_bsp bsp;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    if (bsp_pid(&bsp) == 1)
        exit(0);
    bsp_sync(&bsp);
    bsplib_done();
    return 0;
}
