/* The tag size is the same everywhere. */
// processors: 2 3 8
// expect: bsp_sync at {here}: .. tag size
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_size_t size = 4 + 4 * (bsp_pid() == 1);
    bsp_set_tagsize(&size);
    bsp_sync(); /* here */
    bsp_end();
    return 0;
}
