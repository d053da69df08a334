/* NULL everywhere is a pop of a registration that is NULL everywhere; there must be one. */
// expect: bsp_sync at {here}: .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_pop_reg(NULL);
    bsp_sync(); /* here */
    bsp_end();
    return 0;
}
