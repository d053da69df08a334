/* Messages that are not read in their superstep are gone after the next bsp_sync. */
#include "situation.h"

void situation_unread_messages_vanish(void)
{
    for (int i = 0; i < 10; i++)
        bsp_send(right(), NULL, &i, sizeof i);
    bsp_sync();
    int got = -1, nine = 9;
    bsp_move(&got, sizeof got);
    CHECK_EQUAL(got, 0);
    CHECK_EQUAL(messages(), 9);
    bsp_send(right(), NULL, &nine, sizeof nine);
    bsp_sync();
    CHECK_EQUAL(messages(), 1);
    bsp_sync();
    CHECK(messages() == 0 && message_bytes() == 0 && first_tag(NULL) == -1);
}
