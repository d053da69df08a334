#include <bsp.h>

void other(void);
void other(void)
{
    size_t status;
    bsp_get_tag(&status, NULL);
    if (status != (size_t)-1 || bsp_pid() >= bsp_nprocs())
        bsp_abort("status %zu\n", status);
    bsp_sync();
}
