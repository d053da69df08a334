/* bsp_hpmove is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_hpmove at {here}: .. ended
#include <bsp.h>

int main(void)
{
    void *tag, *payload;
    bsp_begin(bsp_nprocs());
    bsp_end();
    (void)bsp_hpmove(&tag, &payload); /* here */
    return 0;
}
