/* The same without bsp_init. */
// engine: processes
// output: before, inside, after
#include <bsp.h>

int main(void)
{
    printf("before, ");
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        printf("inside, ");
    bsp_end();
    printf("after\n");
    return 0;
}
