/* Functions at exit run on every processor, once. */
// unordered
// processors: 2
// output: bye 0
// output: bye 1
#include <pub.h>
#include <stdlib.h>

static int me;

static void bye(void) { printf("bye %d\n", me); }

int main(void)
{
    t_bsp bsp;
    atexit(bye);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    me = bsp_pid(&bsp);
    bsplib_done();
    return 0;
}
