/* bsp_abort may be called after bsp_init, while the others wait for the begin. */
// expect: n must be positive
#include <bsp.h>

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    bsp_abort("n must be positive\n");
    spmd();
    return 0;
}
