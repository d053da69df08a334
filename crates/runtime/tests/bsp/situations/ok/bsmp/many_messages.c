/* Ten thousand messages to each processor in one superstep. */
#include "situation.h"

void situation_many_messages(void)
{
    enum { COUNT = 10000 };
    set_tagsize(sizeof(int));
    bsp_sync();
    for (int i = 0; i < COUNT; i++)
        for (int q = 0; q < (procs() < 3 ? procs() : 3); q++) {
            double value = 7.0 * i + me();
            bsp_send((me() + q) % procs(), &i, &value, sizeof value);
        }
    bsp_sync();
    CHECK_EQUAL(messages(), COUNT * (procs() < 3 ? procs() : 3));
    int before = -1, senders = 0, wrong = 0;
    double value = 0;
    for (int tag; first_tag(&tag) != -1; before = tag) {
        bsp_move(&value, sizeof value);
        senders += tag == 0;
        wrong += tag != (before + 1) % COUNT;
    }
    CHECK_EQUAL(senders, procs() < 3 ? procs() : 3);
    CHECK_EQUAL(wrong, 0);
    set_tagsize(0);
    bsp_sync();
}
