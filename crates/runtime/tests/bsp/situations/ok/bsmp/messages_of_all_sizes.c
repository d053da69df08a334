/* Lengths of 0 to 600 bytes, from all to all, with tags of odd sizes. */
#include "situation.h"

void situation_messages_of_all_sizes(void)
{
    unsigned char payload[600], got[600], tag[13], its_tag[13];
    set_tagsize(sizeof tag);
    bsp_sync();
    for (int q = 0; q < procs(); q++)
        for (int size = q; size < 600; size += 13) {
            fill(payload, size, 64 * me() + size);
            fill(tag, sizeof tag, size);
            bsp_send(q, tag, payload, size);
        }
    set_tagsize(0);
    bsp_sync();
    for (int s = 0; s < procs(); s++)
        for (int size = me(); size < 600; size += 13) {
            CHECK_EQUAL(first_tag(its_tag), size);
            CHECK(is_filled(its_tag, sizeof its_tag, size));
            bsp_move(got, sizeof got);
            CHECK(is_filled(got, size, 64 * s + size));
        }
    CHECK_EQUAL(messages(), 0);
    bsp_sync();
}
