/* Areas of every size and alignment in a global without a value. */
#include "areas.h"

static unsigned char global_room[AREA_ROOM];

void situation_in_a_global(void)
{
    for (int i = 0; i < AREA_SIZES; i++)
        area_round_trip(global_room, area_starts[(i + 5) % AREA_STARTS], area_sizes[i]);
}
