/* bsp_g and its like need the record of the machine: an error that says how to make one. */
// expect: bsp_g at {here}: .. measured .. cll machine
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    printf("%g\n", bsp_g()); /* here */
    bsp_end();
    return 0;
}
