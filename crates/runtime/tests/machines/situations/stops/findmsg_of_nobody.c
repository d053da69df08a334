/* A processor that does not exist. */
// expect: bsp_findmsg at {here}: there is no processor {p}
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_findmsg(&bsp, bsp_nprocs(&bsp), 0); /* here */
    bsplib_done();
    return 0;
}
