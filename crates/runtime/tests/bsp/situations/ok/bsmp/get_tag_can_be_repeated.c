/* bsp_get_tag always tells of the first unread message. */
#include "situation.h"

void situation_get_tag_can_be_repeated(void)
{
    set_tagsize(1);
    bsp_sync();
    bsp_send(right(), "a", "first", 5);
    bsp_send(right(), "b", "second", 6);
    bsp_sync();
    for (int i = 0; i < 2; i++) {
        char tag = '?', payload[7] = "";
        for (int k = 0; k < 3; k++) {
            CHECK_EQUAL(first_tag(&tag), 5 + i);
            CHECK_EQUAL(tag, 'a' + i);
        }
        bsp_move(payload, sizeof payload);
        CHECK(strcmp(payload, i == 0 ? "first" : "second") == 0);
    }
    set_tagsize(0);
    bsp_sync();
}
