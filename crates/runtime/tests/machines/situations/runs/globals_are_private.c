/* What one processor writes in a variable, the others do not see. */
#include <pub.h>

static int own = -1;

int main(void)
{
    t_bsp bsp;
    int right;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    own = bsp_pid(&bsp);
    bsp_sync(&bsp);
    right = own == bsp_pid(&bsp);
    bsplib_done();
    return !right;
}
