/* A message to oneself is no different. */
#include "situation.h"

void situation_a_message_to_oneself(void)
{
    double value = 0.5 + me(), got = 0;
    bsp_send(me(), NULL, &value, sizeof value);
    CHECK_EQUAL(messages(), 0);
    bsp_sync();
    CHECK_EQUAL(messages(), 1);
    bsp_move(&got, sizeof got);
    CHECK(got == value);
    bsp_sync();
}
