/* A function that returns to bsp_init without bsp_end is as wrong. */
// processors: 2 3 8
// expect: bsp_init .. without bsp_end
#include <bsp.h>

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 1)
        return;
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv); /* here */
    spmd();
    return 0;
}
