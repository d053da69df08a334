/* All processors of a machine have the same number of supersteps. */
// processors: 2 3
// expect: the machine of processors 0 to 1 ends here in superstep 1, but its processor 0 is in a later one
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp part;
    int bounds[2] = { 2, bsp_nprocs(&bsp) }, value = 1;
    bsp_partition(&bsp, &part, 2, bounds);
    if (bsp_pid(&bsp) == 0) {
        bsp_oblsync(&part, 0);
        bsp_send(&part, 1, &value, sizeof value);
        bsp_oblsync(&part, 0);
    }
    bsp_done(&part);
    bsplib_done();
    return 0;
}
