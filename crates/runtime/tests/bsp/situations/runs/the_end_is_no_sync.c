/* What was requested since the last bsp_sync is not delivered by bsp_end; unread messages and
 * registrations may be left. */
// output: x is 5
#include <bsp.h>

static int x = 5;

int main(void)
{
    bsp_begin(bsp_nprocs());
    int s = bsp_pid(), nine = 9;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_send(0, NULL, &nine, sizeof nine);
    bsp_sync();
    bsp_put(0, &nine, &x, 0, sizeof nine);
    bsp_get(0, &x, 0, &nine, sizeof nine);
    bsp_send(0, NULL, &s, sizeof s);
    bsp_push_reg(&s, sizeof s);
    bsp_end();
    printf("x is %d\n", x);
    return 0;
}
