/* bsp_hpsend: processors are numbered from 0. */
// dialect: int
// expect: bsp_hpsend at {here}: .. processor -2
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_hpsend(-2, NULL, "x", 1); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
