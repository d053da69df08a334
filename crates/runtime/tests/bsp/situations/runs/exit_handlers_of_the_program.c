/* Functions given to atexit before and after the SPMD part run in processor 0 at its end. */
// output: end
// output: second
// output: first
#include <bsp.h>
#include <stdlib.h>
#include <unistd.h>

static int is_first_process;

static void say_first(void)
{
    if (is_first_process)
        puts("first");
}

static void say_second(void) { puts("second"); }

int main(void)
{
    atexit(say_first);
    bsp_begin(bsp_nprocs());
    is_first_process = bsp_pid() == 0;
    bsp_end();
    atexit(say_second);
    puts("end");
    return 0;
}
