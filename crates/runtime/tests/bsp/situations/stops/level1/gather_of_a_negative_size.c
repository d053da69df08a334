/* bsp_gather: a size is not negative. */
// dialect: int
// expect: bsp_gather at {here}: .. size .. -4
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0, all[64];
    bsp_gather(0, &x, all, -4); /* here */
    bsp_end();
    return 0;
}
