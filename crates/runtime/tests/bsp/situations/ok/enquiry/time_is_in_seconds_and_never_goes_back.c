/* bsp_time is the seconds since bsp_begin, by a clock that never goes back. That of a virtual processor
 * does not count what it waits for a core. */
#include "situation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

void situation_time_is_in_seconds_and_never_goes_back(void)
{
    double last = bsp_time();
    CHECK(last >= 0);
    for (int i = 0; i < 1000; i++) {
        double now = bsp_time();
        CHECK(now >= last);
        last = now;
    }
    /* The inner interval is no longer than the outer one, whatever else the machine does. */
    struct timespec pause = { 0, 5000000 };
    double outer_begin = clock_seconds(), begin = bsp_time(), inner_begin = clock_seconds();
    nanosleep(&pause, NULL);
    double inner = clock_seconds() - inner_begin, passed = bsp_time() - begin;
    double outer = clock_seconds() - outer_begin;
    const char *engine = getenv("CLL_ENGINE");
    if (engine && strcmp(engine, "virtual") == 0)
        inner = 5e-3;
    int holds = inner - 1e-4 <= passed && passed <= outer + 1e-4;
    if (!holds)
        fprintf(stderr, "%.6f s inside, %.6f s by bsp_time, %.6f s outside\n", inner, passed, outer);
    CHECK(holds);
    bsp_sync();
}
