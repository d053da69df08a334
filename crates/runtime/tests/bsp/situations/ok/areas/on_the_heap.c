/* Areas of every size and alignment in a block of malloc. */
#include "areas.h"

void situation_on_the_heap(void)
{
    unsigned char *block = malloc(AREA_ROOM);
    for (int i = 0; i < AREA_SIZES; i++)
        area_round_trip(block, area_starts[i % AREA_STARTS], area_sizes[i]);
    free(block);
}
