/* bsp_hpmove needs both pointers. */
// expect: bsp_hpmove at {here}: .. tag .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    void *payload;
    (void)bsp_hpmove(NULL, &payload); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
