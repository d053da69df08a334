/* Memory that was got again and again, and is given back before its registration is removed: nobody gets it
 * any more, so nobody reads it. */
#include "situation.h"
#include <malloc.h>

static void get_and_free(size_t bytes)
{
    char *area = malloc(bytes), got = 0;
    void *volatile name = area;
    memset(area, 7, bytes);
    bsp_push_reg(area, (bsp_size_t)bytes);
    bsp_sync();
    for (int round = 0; round < 5; round++) {
        bsp_get(right(), area, 0, &got, sizeof got);
        bsp_sync();
        CHECK_EQUAL(got, 7);
    }
    free(area);
    malloc_trim(0);
    bsp_sync();
    bsp_sync();
    bsp_pop_reg(name);
    bsp_sync();
}

void situation_what_was_got_again_may_be_gone(void)
{
    get_and_free(100);
    get_and_free(9000);
    get_and_free(100000);
    get_and_free(1000000);
}
