/* bsp_set_tagsize is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_set_tagsize at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    bsp_size_t x = 0;
    bsp_set_tagsize(&x); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
