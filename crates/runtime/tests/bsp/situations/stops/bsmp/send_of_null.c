/* bsp_send: NULL for data that has bytes. */
// expect: bsp_send at {here}: .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_send(0, NULL, NULL, 3); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
