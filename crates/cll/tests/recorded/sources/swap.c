#include <pub.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char data[40000];
    t_bsp bsp, half;
    int ends[2], p, s, other;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    p = bsp_nprocs(&bsp);
    s = bsp_pid(&bsp);
    other = (s + p / 2) % p;
    bsp_hpsend(&bsp, other, data, sizeof data);
    bsp_oblsync(&bsp, 1);
    ends[0] = p / 2;
    ends[1] = p;
    bsp_partition(&bsp, &half, 2, ends);
    if (bsp_nprocs(&half) > 1) {
        bsp_send(&half, (bsp_pid(&half) + 1) % bsp_nprocs(&half), data, 1000);
        bsp_sync(&half);
    }
    bsp_done(&half);
    if (argc > 1) {
        bsp_sync(&bsp); /* The supersteps before are in the log of every processor. */
        if (s == 1)
            abort();
    }
    if (s)
        bsp_send(&bsp, 0, data, 500);
    bsp_sync(&bsp);
    bsplib_done();
    return 0;
}
