/* How a processor other than 0 ends after its bsp_end is not the program's status. */
// engine: processes
// output: end
// status: 0
#include <bsp.h>
#include <stdlib.h>
#include <unistd.h>

static int inside_of_another;

static void unusual_end(void)
{
    if (inside_of_another)
        _exit(9);
}

int main(void)
{
    bsp_begin(bsp_nprocs());
    inside_of_another = bsp_pid() != 0;
    if (inside_of_another)
        atexit(unusual_end);
    bsp_sync();
    bsp_end();
    puts("end");
    return 0;
}
