/* A superstep may send, put and get; each arrives. */
#include "situation.h"

void situation_messages_beside_puts_and_gets(void)
{
    int x = 10 + me(), y = -1, got = -1, moved = -1;
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&y, sizeof y);
    bsp_sync();
    for (int i = 0; i < 100; i++) {
        int put = 1000 + 100 * me() + i, sent = 2000 + 100 * me() + i;
        bsp_put(right(), &put, &y, 0, sizeof put);
        bsp_send(left(), NULL, &sent, sizeof sent);
        bsp_get(right(), &x, 0, &got, sizeof got);
        bsp_sync();
        CHECK_EQUAL(y, 1000 + 100 * left() + i);
        CHECK_EQUAL(got, 10 + right());
        CHECK_EQUAL(messages(), 1);
        bsp_move(&moved, sizeof moved);
        CHECK_EQUAL(moved, 2000 + 100 * right() + i);
    }
    bsp_pop_reg(&x);
    bsp_pop_reg(&y);
    bsp_sync();
}
