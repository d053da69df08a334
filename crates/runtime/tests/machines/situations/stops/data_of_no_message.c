/* The result of bsp_findmsg if there is no message. */
// expect: bspmsg_data at {here}: the message is a null pointer
#include <pub.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bspmsg_data(bsp_findmsg(&bsp, 0, 0)); /* here */
    bsplib_done();
    return 0;
}
