/* Areas of every size and alignment on the stack. */
#include "areas.h"

void situation_on_the_stack(void)
{
    unsigned char block[AREA_ROOM];
    for (int i = 0; i < AREA_SIZES; i++)
        area_round_trip(block, area_starts[(i + 3) % AREA_STARTS], area_sizes[i]);
}
