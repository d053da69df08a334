/* bsp_nprocs may be called before bsp_init, before bsp_begin, inside, and after bsp_end. */
// output: {p} {p} {p} {p} {p}
#include <bsp.h>

static int before_init, before_begin;

static void spmd(void)
{
    int first = bsp_nprocs();
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        printf("%d %d %d %d", before_init, before_begin, first, (int)bsp_nprocs());
    bsp_end();
}

int main(int argc, char **argv)
{
    before_init = bsp_nprocs();
    bsp_init(spmd, argc, argv);
    before_begin = bsp_nprocs();
    spmd();
    printf(" %d\n", (int)bsp_nprocs());
    return 0;
}
