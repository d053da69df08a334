/* What any processor printed has been written when it ends, unflushed or not. */
// processors: 4
// unordered
// output: processor 0 of 4
// output: processor 1 of 4
// output: processor 2 of 4
// output: processor 3 of 4
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    printf("processor %d of %d\n", (int)bsp_pid(), (int)bsp_nprocs());
    bsp_end();
    return 0;
}
