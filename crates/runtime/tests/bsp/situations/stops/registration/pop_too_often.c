/* An area is popped once for each push. */
// expect: bsp_pop_reg at {here}: .. registered
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_pop_reg(&x);
    bsp_pop_reg(&x);
    bsp_pop_reg(&x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
