/* bsp_qsize is for the SPMD part: not before bsp_begin. */
// processors: 2
// expect: bsp_qsize at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    bsp_nprocs_t n = 0;
    bsp_size_t x = 0;
    bsp_qsize(&n, &x); /* here */
    bsp_begin(bsp_nprocs());
    bsp_end();
    return 0;
}
