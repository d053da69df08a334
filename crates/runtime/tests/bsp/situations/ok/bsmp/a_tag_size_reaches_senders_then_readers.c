/* A new tag size holds for what is sent from the next superstep on, and so for what is read
 * from the one after that. */
#include "situation.h"

void situation_a_tag_size_reaches_senders_then_readers(void)
{
    unsigned char tag[8];
    /* Superstep k sends tags of sizes[k] bytes and asks for sizes[k + 1]. */
    static const int sizes[] = { 0, 3, 8, 1, 1, 0, 5, 0 };
    for (int k = 0; k < 8; k++) {
        unsigned char sent[8];
        fill(sent, 8, 10 * k + me());
        bsp_send(right(), sizes[k] ? sent : NULL, &k, sizeof k);
        if (k < 7)
            set_tagsize(sizes[k + 1]);
        if (k > 0) { /* what superstep k - 1 sent */
            int got = -1;
            memset(tag, 0xEE, sizeof tag);
            CHECK_EQUAL(first_tag(tag), sizeof got);
            CHECK(is_filled(tag, sizes[k - 1], 10 * (k - 1) + left()));
            CHECK(all_are(tag + sizes[k - 1], 8 - sizes[k - 1], 0xEE));
            bsp_move(&got, sizeof got);
            CHECK_EQUAL(got, k - 1);
        }
        bsp_sync();
    }
    CHECK_EQUAL(messages(), 1);
    bsp_sync();
}
