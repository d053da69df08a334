/* Messages can be read again, in any order. */
#include "situation.h"

void situation_reading_takes_nothing_away(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    send_int(all, me, 1);
    send_int(all, me, 2);
    bsp_oblsync(all, 2);
    CHECK_EQUAL(got_int(all, 1), 2);
    CHECK_EQUAL(got_int(all, 0), 1);
    CHECK_EQUAL(got_int(all, 1), 2);
    CHECK_EQUAL(bsp_nmsgs(all), 2);
    CHECK_EQUAL(p, bsp_nprocs(all));
}
