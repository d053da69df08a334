/* Unless its own is not 0. The launcher of MPICH joins the bits of both. */
// processors: 1 2 3 8
// not with: mpich
// status: 3
#include <pub.h>
#include <unistd.h>

int main(void)
{
    t_bsp bsp;
    int me;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    me = bsp_pid(&bsp);
    bsplib_done();
    if (me == 1) {
        /* A launcher of MPI's goes by whose comes first. */
        usleep(300000);
        return 5;
    }
    return 3;
}
