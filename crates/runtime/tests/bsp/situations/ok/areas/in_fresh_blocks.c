/* Each area is a separate block, freed when it has been popped. */
#include "areas.h"

void situation_in_fresh_blocks(void)
{
    for (int i = 0; i < AREA_SIZES; i++) {
        unsigned char *block = malloc(AREA_ROOM);
        area_round_trip(block, 16, area_sizes[i]);
        free(block);
    }
}
