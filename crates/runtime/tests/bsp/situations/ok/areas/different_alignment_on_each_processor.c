/* The blocks of one registration may lie differently on each processor. */
#include "areas.h"

void situation_different_alignment_on_each_processor(void)
{
    unsigned char *block = aligned_alloc(4096, (AREA_ROOM + 4095) / 4096 * 4096);
    for (int i = 0; i < AREA_STARTS; i++)
        area_round_trip(block, area_starts[(i + 5 * me()) % AREA_STARTS], 8200);
    free(block);
}
