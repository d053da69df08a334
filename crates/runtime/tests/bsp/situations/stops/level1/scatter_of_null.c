/* bsp_scatter: NULL for a buffer that has bytes. */
// expect: bsp_scatter at {here}: .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    bsp_scatter(0, NULL, &x, sizeof x); /* here */
    bsp_end();
    return 0;
}
