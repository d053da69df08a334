/* Messages before a collective call can be read after it, in a part, too. */
#include "situation.h"

void situation_a_collective_leaves_messages_alone(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    t_bsp half;
    int value = me;
    halve(all, &half);
    send_int(&half, right_of(&half), 8);
    bsp_bcast(&half, 0, &value, &value, sizeof value);
    CHECK_EQUAL(value, me - bsp_pid(&half));
    CHECK_EQUAL(bsp_nmsgs(&half), 1);
    CHECK_EQUAL(got_int(&half, 0), 8);
    bsp_done(&half);
    CHECK(p > 0);
}
