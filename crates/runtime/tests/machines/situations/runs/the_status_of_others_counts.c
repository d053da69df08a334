/* The first status of another processor that is not 0 becomes that of the program. */
// processors: 2 3 8
// status: 5
#include <pub.h>
#include <unistd.h>

int main(void)
{
    t_bsp bsp;
    int me;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    me = bsp_pid(&bsp);
    bsplib_done();
    if (me == 1)
        usleep(100000); /* processor 0 waits for it */
    return me == 1 ? 5 : 0;
}
