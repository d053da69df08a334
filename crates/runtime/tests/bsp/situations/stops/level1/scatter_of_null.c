/* bsp_scatter: what has bytes is not NULL. */
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
