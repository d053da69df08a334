/* NULL for the operator. */
// expect: bsp_reduce at {here}: the operator is a null pointer
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int x = 0;
    bsp_reduce(&bsp, NULL, &x, &x, sizeof x); /* here */
    bsplib_done();
    return 0;
}
