/* The library is started once. */
// expect: bsplib_init at {here}: it was called already
#include <pub.h>

int main(void)
{
    t_bsp bsp;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsplib_init(BSPLIB_STDPARAMS, &bsp); /* here */
    bsplib_done();
    return 0;
}
