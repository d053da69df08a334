/* Nothing can be called before bsplib_init. */
// expect: bsp_sync at {here}: there is no machine yet .. help: call it between bsplib_init and bsplib_done
#include <pub.h>

int main(void)
{
    t_bsp bsp;
    bsp_sync(&bsp); /* here */
    return 0;
}
