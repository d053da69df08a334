/* A message without tag and payload is delivered and counted; its pointers may be null. */
#include "situation.h"

void situation_an_empty_message_counts(void)
{
    for (int i = 0; i < 3; i++)
        bsp_send(right(), NULL, NULL, 0);
    bsp_hpsend(right(), NULL, NULL, 0);
    bsp_sync();
    for (int left_over = 4; left_over > 0; left_over--) {
        CHECK_EQUAL(messages(), left_over);
        CHECK_EQUAL(message_bytes(), 0);
        CHECK_EQUAL(first_tag(NULL), 0);
        bsp_move(NULL, 0);
    }
    CHECK_EQUAL(messages(), 0);
    CHECK_EQUAL(first_tag(NULL), -1);
    bsp_sync();
}
