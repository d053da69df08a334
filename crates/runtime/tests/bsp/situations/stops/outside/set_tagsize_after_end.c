/* bsp_set_tagsize is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_set_tagsize at {here}: .. ended
#include <bsp.h>

int main(void)
{
    bsp_size_t x = 0;
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_set_tagsize(&x); /* here */
    return 0;
}
