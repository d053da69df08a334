/* The k-th push of a superstep on one processor belongs to the k-th on the others, whatever
 * the addresses. */
#include "situation.h"

void situation_slots_go_by_order_not_by_name(void)
{
    int v[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };
    int first = me() % 7, second = (me() + 3) % 7, value;
    bsp_push_reg(&v[first], sizeof v[0]);
    bsp_push_reg(&v[second], sizeof v[0]);
    bsp_sync();
    value = 10 + me();
    bsp_put(right(), &value, &v[first], 0, sizeof value);
    value = 20 + me();
    bsp_put(right(), &value, &v[second], 0, sizeof value);
    bsp_sync();
    CHECK_EQUAL(v[first], 10 + left());
    CHECK_EQUAL(v[second], 20 + left());
    bsp_pop_reg(&v[first]);
    bsp_pop_reg(&v[second]);
    bsp_sync();
}
