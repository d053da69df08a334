/* All but processor 0 end in bsp_end: nothing after it is done twice, and main's status is
 * processor 0's. */
// output: once
// status: 7
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_sync();
    bsp_end();
    puts("once");
    return 7;
}
