/* Nothing can be called after bsplib_done. */
// processors: 1
// expect: bsp_nprocs at {here}: the machines have ended
#include <pub.h>

int main(void)
{
    t_bsp bsp;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsplib_done();
    return bsp_nprocs(&bsp); /* here */
}
