/* Of an empty queue bsp_hpmove says -1. */
#include "situation.h"

void situation_hpmove_of_an_empty_queue(void)
{
    void *tag = NULL, *payload = NULL;
    CHECK_EQUAL(bsp_hpmove(&tag, &payload), -1);
    bsp_send(right(), NULL, "x", 1);
    CHECK_EQUAL(bsp_hpmove(&tag, &payload), -1);
    bsp_sync();
    CHECK_EQUAL(bsp_hpmove(&tag, &payload), 1);
    CHECK_EQUAL(*(char *)payload, 'x');
    CHECK_EQUAL(bsp_hpmove(&tag, &payload), -1);
    bsp_sync();
}
