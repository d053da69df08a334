/* bsp_hpmove needs both pointers. */
// expect: bsp_hpmove at {here}: .. payload .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    void *tag;
    (void)bsp_hpmove(&tag, NULL); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
