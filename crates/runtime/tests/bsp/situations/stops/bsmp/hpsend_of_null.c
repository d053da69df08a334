/* bsp_hpsend: what has bytes is not NULL. */
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
