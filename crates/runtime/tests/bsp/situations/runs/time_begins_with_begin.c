/* bsp_time counts from bsp_begin, not from the start of the program. */
// output: right
#include <bsp.h>
#include <time.h>

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(void)
{
    struct timespec pause = { 0, 30000000 };
    nanosleep(&pause, NULL);
    double before = clock_now();
    bsp_begin(bsp_nprocs());
    double time = bsp_time(), most = clock_now() - before;
    if (bsp_pid() == 0)
        puts(0 <= time && time <= most + 1e-4 ? "right" : "WRONG");
    bsp_end();
    return 0;
}
