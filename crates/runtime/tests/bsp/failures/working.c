/*
 * working: a machine that goes on for ever with everything that a superstep can have, to be killed
 * at any moment. Processor 0 prints a line when all are at work.
 */
#include <bsp.h>
#include <stdlib.h>

int main(void)
{
    static char global[100000];
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), s = bsp_pid();
    bsp_push_reg(global, sizeof global);
    bsp_sync();
    for (unsigned i = 0;; i++) {
        char *area = malloc(20000 + i % 7 * 10000);
        bsp_push_reg(area, 20000 + i % 7 * 10000);
        bsp_sync();
        for (int k = 0; k < 20; k++) {
            bsp_put((s + k) % p, global, area, 100 * k, 1 + 300 * (k % 3));
            bsp_get((s + k) % p, global, 50 * k, area + 10000 + 50 * k, 50);
            bsp_send((s + k) % p, NULL, area, 40 * k);
        }
        bsp_hpput((s + 1) % p, global, global, 60000, 30000);
        bsp_sync();
        bsp_pop_reg(area);
        bsp_sync();
        free(area);
        if (i == 10 && s == 0) {
            puts("at work");
            fflush(stdout);
        }
    }
}
