/* A message may have only a tag: bsp_get_tag reads it, and bsp_move(NULL, 0) removes the message. */
#include "situation.h"

void situation_a_tag_without_payload(void)
{
    set_tagsize(sizeof(double));
    bsp_sync();
    for (int i = 0; i < 5; i++) {
        double tag = me() + i / 8.0;
        bsp_send(right(), &tag, NULL, 0);
    }
    bsp_sync();
    for (int i = 0; i < 5; i++) {
        double tag = -1;
        CHECK_EQUAL(first_tag(&tag), 0);
        CHECK(tag == left() + i / 8.0);
        bsp_move(NULL, 0);
    }
    CHECK_EQUAL(messages(), 0);
    set_tagsize(0);
    bsp_sync();
}
