/* Either pointer of bsp_qsize may be null. */
#include "situation.h"

void situation_qsize_takes_null(void)
{
    count_t count = 77;
    bsp_size_t bytes = 77;
    bsp_send(right(), NULL, "abc", 3);
    bsp_sync();
    bsp_qsize(&count, NULL);
    CHECK_EQUAL(count, 1);
    bsp_qsize(NULL, &bytes);
    CHECK_EQUAL(bytes, 3);
    bsp_qsize(NULL, NULL);
    bsp_sync();
}
