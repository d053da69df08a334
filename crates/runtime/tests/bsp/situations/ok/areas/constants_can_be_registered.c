/* Memory that can only be read may be registered, and got from. */
#include "situation.h"

static const int few_constants[4] = { 2, 3, 5, 7 };
static const unsigned char many_constants[3 * 4096] = { [0] = 1, [6000] = 9, [12287] = 4 };

void situation_constants_can_be_registered(void)
{
    int few[4] = { 0 };
    unsigned char got[3] = { 0 };
    bsp_push_reg(few_constants, sizeof few_constants);
    bsp_push_reg(many_constants, sizeof many_constants);
    bsp_sync();
    bsp_get(right(), few_constants, 0, few, sizeof few);
    bsp_get(right(), many_constants, 0, &got[0], 1);
    bsp_get(right(), many_constants, 6000, &got[1], 1);
    bsp_get(right(), many_constants, 12287, &got[2], 1);
    bsp_sync();
    CHECK(memcmp(few, few_constants, sizeof few) == 0);
    CHECK(got[0] == 1 && got[1] == 9 && got[2] == 4);
    CHECK_EQUAL(many_constants[6000], 9);
    bsp_pop_reg(few_constants);
    bsp_pop_reg(many_constants);
    bsp_sync();
}
