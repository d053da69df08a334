/* A size of two pages and a bit, at every place of a page that differs. */
#include "areas.h"

void situation_at_every_alignment(void)
{
    unsigned char *block = aligned_alloc(4096, (AREA_ROOM + 4095) / 4096 * 4096);
    for (int i = 0; i < AREA_STARTS; i++) {
        area_round_trip(block, area_starts[i], 8192 + 5);
        area_round_trip(block, area_starts[i], 4096);
    }
    free(block);
}
