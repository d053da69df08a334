/* After bsplib_done the program continues on all processors. */
// unordered
// processors: 3
// output: 0 goes on
// output: 1 goes on
// output: 2 goes on
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    int me;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    me = bsp_pid(&bsp);
    bsplib_done();
    printf("%d goes on\n", me);
    return 0;
}
