/* A push, a pop, a tag size, puts, gets and messages, all in one superstep. */
#include "situation.h"

void situation_everything_in_one_superstep(void)
{
    int a = 10 + me(), b = 20 + me(), c = -1, got = -1, tag = -1, moved = -1;
    bsp_push_reg(&a, sizeof a);
    bsp_sync();
    for (int i = 0; i < 20; i++) {
        int put = 100 * i + me();
        set_tagsize(i % 2 ? 0 : sizeof(int)); /* for what the next round sends */
        bsp_push_reg(&b, sizeof b);
        bsp_get(left(), &a, 0, &got, sizeof got);
        bsp_put(right(), &put, &a, 0, sizeof put);
        bsp_send(right(), i % 2 ? &i : NULL, &put, sizeof put);
        bsp_push_reg(&c, sizeof c);
        bsp_sync();
        CHECK_EQUAL(got, i == 0 ? 10 + left() : 100 * (i - 1) + (left() + procs() - 1) % procs());
        CHECK_EQUAL(a, 100 * i + left());
        CHECK_EQUAL(first_tag(&tag), sizeof moved);
        CHECK(i % 2 == 0 || tag == i);
        bsp_move(&moved, sizeof moved);
        CHECK_EQUAL(moved, 100 * i + left());
        bsp_put(right(), &put, &c, 0, sizeof put);
        bsp_pop_reg(&b);
        bsp_pop_reg(&c);
        bsp_sync();
        CHECK_EQUAL(c, 100 * i + left());
    }
    set_tagsize(0);
    bsp_pop_reg(&a);
    bsp_sync();
}
