/* The SPMD part may be a function that main calls, with other work before it. */
// output: {p} after 499500
#include <bsp.h>

static void parallel(long work)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        printf("%d after %ld\n", (int)bsp_nprocs(), work);
    bsp_end();
}

int main(void)
{
    long work = 0;
    for (int i = 0; i < 1000; i++)
        work += i;
    parallel(work);
    return 0;
}
