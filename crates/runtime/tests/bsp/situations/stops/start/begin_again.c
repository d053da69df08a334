/* There is one pair of bsp_begin and bsp_end in the run of a program. */
// expect: bsp_begin at {here}: .. called already
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_begin(bsp_nprocs()); /* here */
    bsp_end();
    return 0;
}
