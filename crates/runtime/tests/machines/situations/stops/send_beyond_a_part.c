/* Processors are those of the part. */
// expect: bsp_send at {here}: there is no processor {p}; the machine has
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp part;
    int bounds[2] = { 1, bsp_nprocs(&bsp) };
    bsp_partition(&bsp, &part, 2, bounds);
    bsp_send(&part, bsp_nprocs(&bsp), &bsp, 1); /* here */
    bsplib_done();
    return 0;
}
