/* bsp_get_tag is for the SPMD part: not after bsp_end. */
// processors: 2
// expect: bsp_get_tag at {here}: .. ended
#include <bsp.h>

int main(void)
{
    bsp_size_t x = 0;
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_get_tag(&x, NULL); /* here */
    return 0;
}
