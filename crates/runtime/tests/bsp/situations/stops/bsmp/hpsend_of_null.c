/* bsp_hpsend: NULL for data that has bytes. */
// expect: bsp_hpsend at {here}: .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_hpsend(0, NULL, NULL, 3); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
