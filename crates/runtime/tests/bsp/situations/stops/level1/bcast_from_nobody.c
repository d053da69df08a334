/* bsp_bcast: the root is one of 0 .. p-1. */
// expect: bsp_bcast at {here}: .. processor {p}
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    bsp_bcast(bsp_nprocs(), &x, &x, sizeof x); /* here */
    bsp_end();
    return 0;
}
