/* Supersteps of phases of so much processor time, each with a message to the next processor: what do they
 * cost beside the sum of the phases? Arguments: supersteps, milliseconds. */
#include <bsp.h>
#include <stdlib.h>
#include <time.h>

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int argc, char **argv)
{
    int supersteps = argc > 1 ? atoi(argv[1]) : 2, s, i;
    double seconds = (argc > 2 ? atof(argv[2]) : 10) * 1e-3, begin;
    bsp_begin(bsp_nprocs());
    s = bsp_pid();
    for (i = 0; i < supersteps; i++) {
        begin = processor_seconds();
        while (processor_seconds() - begin < seconds)
            ;
        bsp_send((s + 1) % bsp_nprocs(), NULL, &i, sizeof i);
        bsp_sync();
    }
    bsp_end();
    return 0;
}
