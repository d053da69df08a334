/* A machine that others never made. */
// processors: 2 3 8
// expect: processor 0 has sent data in a machine that this processor has not created
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    if (bsp_pid(&bsp) == 0) {
        t_bsp part;
        int p = bsp_nprocs(&bsp), value = 1;
        bsp_partition(&bsp, &part, 1, &p);
        for (int to = 1; to < p; to++)
            bsp_send(&part, to, &value, sizeof value);
        bsp_oblsync(&part, 0);
        bsp_done(&part);
    }
    bsplib_done();
    return 0;
}
