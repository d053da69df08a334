/* bsp_init may be called once. */
// expect: bsp_init at {here}: .. called already
#include <bsp.h>

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    bsp_init(spmd, argc, argv); /* here */
    spmd();
    return 0;
}
