/* bsp_init does not come after bsp_end. */
// expect: bsp_init at {here}: .. after bsp_begin
#include <bsp.h>

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
}

int main(int argc, char **argv)
{
    spmd();
    bsp_init(spmd, argc, argv); /* here */
    return 0;
}
