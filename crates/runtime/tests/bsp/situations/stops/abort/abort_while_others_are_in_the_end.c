/* bsp_abort ends processors that wait in bsp_end. */
// processors: 2 3 8
// expect: too late
#include <bsp.h>
#include <unistd.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 1) {
        usleep(20000);
        bsp_abort("too late\n");
    }
    bsp_end();
    return 0;
}
