/* Processor 0 reads standard input before, inside and after the SPMD part. */
// engine: processes
// input: 11 22 33
// output: 11 22 33
#include <bsp.h>

static int read_one(void)
{
    int value = -1;
    return scanf("%d", &value) == 1 ? value : -2;
}

int main(void)
{
    int before = read_one(), inside = -1;
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        inside = read_one();
    bsp_sync();
    bsp_end();
    printf("%d %d %d\n", before, inside, read_one());
    return 0;
}
