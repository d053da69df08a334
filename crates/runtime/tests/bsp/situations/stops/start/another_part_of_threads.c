/* A second parallel part of processors that are threads needs bsp_init. */
// engine: threads
// expect: bsp_begin at {here}: .. begins with bsp_init .. --engine processes
#include <bsp.h>

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    spmd();
    bsp_begin(bsp_nprocs()); /* here */
    bsp_end();
    return 0;
}
