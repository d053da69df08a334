/* No bsp_sync need be called at all. */
// output: end
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
    puts("end");
    return 0;
}
