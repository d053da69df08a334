/* bsp_hpmove points to tags of the size that their messages were sent with. */
#include "situation.h"

void situation_a_tag_size_and_hpmove(void)
{
    set_tagsize(sizeof(double));
    bsp_sync();
    double tag = 0.25 + me();
    bsp_send(right(), &tag, "abc", 3);
    set_tagsize(sizeof(int));
    bsp_sync();
    int small = 7 + me();
    bsp_send(right(), &small, "de", 2);
    set_tagsize(0);
    void *its_tag = NULL, *payload = NULL;
    CHECK_EQUAL(bsp_hpmove(&its_tag, &payload), 3);
    CHECK(*(double *)its_tag == 0.25 + left() && memcmp(payload, "abc", 3) == 0);
    bsp_sync();
    bsp_send(right(), NULL, "f", 1);
    CHECK_EQUAL(bsp_hpmove(&its_tag, &payload), 2);
    CHECK(*(int *)its_tag == 7 + left() && memcmp(payload, "de", 2) == 0);
    bsp_sync();
    CHECK_EQUAL(bsp_hpmove(&its_tag, &payload), 1);
    CHECK_EQUAL(*(char *)payload, 'f');
    bsp_sync();
}
