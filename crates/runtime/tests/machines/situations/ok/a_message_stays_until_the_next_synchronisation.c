/* Bytes of a message stay while others arrive and are sent. */
#include "situation.h"

void situation_a_message_stays_until_the_next_synchronisation(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    unsigned char bytes[500];
    fill(bytes, sizeof bytes, (unsigned)me);
    bsp_send(all, right_of(all), bytes, sizeof bytes);
    bsp_oblsync(all, 1);
    unsigned char *data = bspmsg_data(bsp_getmsg(all, 0));
    for (int i = 0; i < 200; i++)
        bsp_send(all, left_of(all), bytes, i);
    for (volatile int i = 0; i < 10000; i++)
        ;
    CHECK(is_filled(data, sizeof bytes, (unsigned)((me + p - 1) % p)));
    bsp_oblsync(all, 200);
}
