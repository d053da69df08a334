/* More than are available cannot be had. */
// output: {p} processors
#include <bsp.h>

int main(void)
{
    bsp_begin(10000);
    bsp_sync();
    if (bsp_pid() == 0)
        printf("%d processors\n", (int)bsp_nprocs());
    bsp_end();
    return 0;
}
