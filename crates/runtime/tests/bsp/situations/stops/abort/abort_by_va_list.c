/* bsp_abort_va takes a va_list. */
// expect: error 42: disk full
#include <bsp.h>
#include <stdarg.h>

static void fail(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    bsp_abort_va(format, values);
    va_end(values);
}

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        fail("error %d: %s\n", 42, "disk full");
    bsp_sync();
    bsp_end();
    return 0;
}
