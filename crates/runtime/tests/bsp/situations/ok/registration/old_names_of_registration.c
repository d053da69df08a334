/* The Oxford names, which old programs use. */
#include "situation.h"

void situation_old_names_of_registration(void)
{
    int x = -1, s = me();
    bsp_size_t tag = 4;
    bsp_pushregister(&x, sizeof x);
    bsp_set_tag_size(&tag);
    CHECK_EQUAL(tag, 0);
    tag = 0;
    bsp_set_tag_size(&tag);
    CHECK_EQUAL(tag, 4);
    bsp_sync();
    bsp_put(right(), &s, &x, 0, sizeof s);
    bsp_popregister(&x);
    bsp_sync();
    CHECK_EQUAL(x, left());
}
