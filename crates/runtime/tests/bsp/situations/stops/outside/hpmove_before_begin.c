/* bsp_hpmove is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_hpmove at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    void *tag, *payload;
    (void)bsp_hpmove(&tag, &payload); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
