/* Several may call it: some or all of the texts appear. */
// expect: gives up
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_abort("%d gives up\n", (int)bsp_pid());
    bsp_end();
    return 0;
}
