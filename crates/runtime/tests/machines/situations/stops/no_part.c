/* At least one part. */
// expect: bsp_partition at {here}: there is no part
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    t_bsp part;
    bsp_partition(&bsp, &part, 0, NULL); /* here */
    bsplib_done();
    return 0;
}
