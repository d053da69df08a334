/* The name of an area is its first byte. */
// expect: bsp_pop_reg at {here}: .. registered
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x[4] = { 0 };
    bsp_push_reg(x, sizeof x);
    bsp_sync();
    bsp_pop_reg(&x[1]); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
