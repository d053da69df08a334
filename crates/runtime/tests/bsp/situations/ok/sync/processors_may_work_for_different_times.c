/* A processor that waits loses nothing, however long: each sync in turn has another late one. */
#include "situation.h"
#include <time.h>

void situation_processors_may_work_for_different_times(void)
{
    int sum = 0;
    bsp_push_reg(&sum, sizeof sum);
    bsp_sync();
    for (int round = 0; round < 2 * procs(); round++) {
        struct timespec pause = { 0, round % 3 * 1500000L };
        if (me() == round % procs())
            nanosleep(&pause, NULL);
        int next = sum + round;
        bsp_put(right(), &next, &sum, 0, sizeof next);
        bsp_sync();
    }
    CHECK_EQUAL(sum, procs() * (2 * procs() - 1));
    bsp_pop_reg(&sum);
    bsp_sync();
}
