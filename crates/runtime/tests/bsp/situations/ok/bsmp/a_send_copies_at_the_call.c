/* bsp_send copies tag and payload at the call. */
#include "situation.h"

void situation_a_send_copies_at_the_call(void)
{
    set_tagsize(sizeof(int));
    bsp_sync();
    for (int i = 0; i < 20; i++) {
        int tag = i, value = 100 * i + me();
        bsp_send(right(), &tag, &value, sizeof value);
        tag = value = -1;
    }
    unsigned char *large = malloc(100000);
    int tag = 20;
    fill(large, 100000, me());
    bsp_send(right(), &tag, large, 100000);
    memset(large, 0, 100000);
    bsp_sync();
    for (int i = 0; i < 20; i++) {
        int value = -1;
        CHECK_EQUAL(first_tag(&tag), sizeof value);
        bsp_move(&value, sizeof value);
        CHECK(tag == i && value == 100 * i + left());
    }
    CHECK_EQUAL(first_tag(&tag), 100000);
    bsp_move(large, 100000);
    CHECK(tag == 20 && is_filled(large, 100000, left()));
    free(large);
    set_tagsize(0);
    bsp_sync();
}
