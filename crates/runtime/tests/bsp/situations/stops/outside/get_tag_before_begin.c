/* bsp_get_tag is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_get_tag at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    bsp_size_t x = 0;
    bsp_get_tag(&x, NULL); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
