/* bsp_sync is a barrier of all processors. */
#include "situation.h"
#include <time.h>

/* The machine's clock, which all processors share. */
static double machine_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

void situation_no_processor_goes_on_before_all_have_come(void)
{
    double came[64] = { 0 };
    bsp_push_reg(came, sizeof came);
    bsp_sync();
    for (int round = 0; round < 20; round++) {
        /* One is late, by more than the others spin. */
        struct timespec late = { 0, 200000L * round };
        if (me() == round % procs())
            nanosleep(&late, NULL);
        double now = machine_seconds();
        for (int q = 0; q < procs(); q++)
            bsp_put(q, &now, came, me() * sizeof now, sizeof now);
        bsp_sync();
        now = machine_seconds();
        for (int q = 0; q < procs(); q++)
            CHECK(came[q] > 0 && came[q] <= now);
    }
    bsp_pop_reg(came);
    bsp_sync();
}
