/* The same with bsp_init before it. */
// processors: 2 3 5 8
// output: 1 of {p}
// output: end
#include <bsp.h>

static void spmd(void)
{
    int there = bsp_nprocs();
    bsp_begin(1);
    bsp_sync();
    if (bsp_pid() != 0 || bsp_nprocs() != 1)
        bsp_abort("more than one");
    printf("%d of %d\n", (int)bsp_nprocs(), there);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    spmd();
    puts("end");
    return 0;
}
