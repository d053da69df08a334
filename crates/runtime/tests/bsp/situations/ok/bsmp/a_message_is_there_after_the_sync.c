/* A message can be read in the superstep after that of its sending, and only then. */
#include "situation.h"

void situation_a_message_is_there_after_the_sync(void)
{
    int value = 100 + me(), got = -1;
    bsp_send(right(), NULL, &value, sizeof value);
    CHECK_EQUAL(messages(), 0);
    CHECK_EQUAL(first_tag(NULL), -1);
    bsp_sync();
    CHECK_EQUAL(messages(), 1);
    CHECK_EQUAL(message_bytes(), sizeof value);
    CHECK_EQUAL(first_tag(NULL), sizeof value);
    bsp_move(&got, sizeof got);
    CHECK_EQUAL(got, 100 + left());
    CHECK_EQUAL(messages(), 0);
    bsp_sync();
    CHECK_EQUAL(messages(), 0);
}
