/* Messages after a part's last synchronisation go nowhere. */
#include "situation.h"

void situation_what_was_sent_last_in_a_part_is_lost(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp half;
    for (int i = 0; i < 100; i++) {
        halve(all, &half);
        bsp_sync(&half);
        send_int(&half, right_of(&half), 5);
        bsp_done(&half);
    }
    bsp_sync(all);
    CHECK_EQUAL(bsp_nmsgs(all), 0);
    CHECK(me < p);
}
