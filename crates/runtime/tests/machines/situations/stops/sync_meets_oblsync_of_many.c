/* If no barrier reaches the processor that expects messages, the deadlock is detected. */
// processors: 3 8
// expect: processor
// deadlock: 0.5
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    if (bsp_pid(&bsp) == 0)
        bsp_sync(&bsp);
    else
        bsp_oblsync(&bsp, 1);
    bsplib_done();
    return 0;
}
