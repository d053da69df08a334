/* Messages are in ascending order of their senders, each one's in the order of their sending. */
#include "situation.h"

void situation_the_queue_is_in_order(void)
{
    enum { EACH = 7 };
    for (int i = 0; i < EACH; i++)
        for (int q = procs() - 1; q >= 0; q--) {
            int value = 100 * me() + i;
            bsp_send(q, NULL, &value, sizeof value);
        }
    bsp_sync();
    CHECK_EQUAL(messages(), EACH * procs());
    for (int s = 0; s < procs(); s++)
        for (int i = 0; i < EACH; i++) {
            int value = -1;
            bsp_move(&value, sizeof value);
            CHECK_EQUAL(value, 100 * s + i);
        }
    bsp_sync();
}
