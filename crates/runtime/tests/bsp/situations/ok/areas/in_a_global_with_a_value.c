/* Areas in initialised data, which the program's file backs. */
#include "areas.h"

static unsigned char initialised_room[AREA_ROOM] = { 1, 2, 3 };

void situation_in_a_global_with_a_value(void)
{
    CHECK_EQUAL(initialised_room[2], 3);
    for (int i = 0; i < AREA_SIZES; i++)
        area_round_trip(initialised_room, area_starts[(i + 9) % AREA_STARTS], area_sizes[i]);
}
