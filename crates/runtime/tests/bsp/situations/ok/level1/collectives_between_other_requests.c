/* A collective call ends the superstep: puts before it arrive, messages sent before it can be
 * read after it, and those that could be read before it are gone. */
#include "situation.h"

void situation_collectives_between_other_requests(void)
{
    int x = -1, s = me(), got = -1, from_0 = 50 + me();
    set_tagsize(sizeof(int));
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    for (int i = 0; i < 10; i++) {
        int tag = i, value = 100 * i + s;
        bsp_put(right(), &value, &x, 0, sizeof value);
        bsp_send(left(), &tag, &value, sizeof value);
        from_0 = 50 + me() + i;
        switch (i % 3) {
        case 0: bsp_bcast(0, &from_0, &from_0, sizeof from_0); CHECK_EQUAL(from_0, 50 + i); break;
        case 1: CHECK_EQUAL(bsp_any(me() == 0), 1); break;
        case 2: bsp_sync(); break;
        }
        CHECK_EQUAL(x, 100 * i + left());
        CHECK_EQUAL(messages(), 1);
        CHECK_EQUAL(message_bytes(), sizeof value);
        CHECK_EQUAL(first_tag(&tag), sizeof value);
        bsp_move(&got, sizeof got);
        CHECK(tag == i && got == 100 * i + right());
        CHECK_EQUAL(first_tag(&tag), -1);
    }
    set_tagsize(0);
    bsp_pop_reg(&x);
    bsp_sync();
}
