/* bsp_init alone is not the begin of the SPMD part. */
// expect: bsp_sync at {here}: .. bsp_begin
#include <bsp.h>

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    bsp_sync(); /* here */
    spmd();
    return 0;
}
