/* A registration of NULL is popped once. */
// expect: bsp_sync at {here}: .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_push_reg(NULL, 0);
    bsp_sync();
    bsp_pop_reg(NULL);
    bsp_sync();
    bsp_pop_reg(NULL);
    bsp_sync(); /* here */
    bsp_end();
    return 0;
}
