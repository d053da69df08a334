/* bsp_qsize is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_qsize at {here}: .. ended
#include <bsp.h>

int main(void)
{
    bsp_nprocs_t n = 0;
    bsp_size_t x = 0;
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_qsize(&n, &x); /* here */
    return 0;
}
