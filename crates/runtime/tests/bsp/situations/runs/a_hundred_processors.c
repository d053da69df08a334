/* So many processors that the sets of senders are kept separately; exactly the sent data arrives. */
// processors: 65 100
// output: right
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), s = bsp_pid(), all[100], got = -1, right = 1;
    bsp_push_reg(all, sizeof all);
    bsp_sync();
    for (int round = 0; round < 8; round++) {
        int to = (s + round * round) % p, from = -1;
        bsp_nprocs_t n;
        bsp_size_t bytes;
        for (int q = 0; q < p; q++)
            all[q] = -1;
        bsp_sync();
        /* Only in some rounds, and only some: what was there in the round before the last is old. */
        if (round % 3 != 2 && s % 2 == round % 2) {
            bsp_put(to, &s, all, s * (int)sizeof s, sizeof s);
            bsp_send(to, NULL, &s, sizeof s);
            bsp_get(to, all, 0, &got, sizeof got);
        }
        bsp_sync();
        bsp_qsize(&n, &bytes);
        int expected = ((s - round * round) % p + p) % p;
        int comes = round % 3 != 2 && expected % 2 == round % 2;
        right &= (int)n == comes && (int)bytes == comes * (int)sizeof s;
        if (n == 1)
            bsp_move(&from, sizeof from);
        for (int q = 0; q < p; q++)
            right &= all[q] == (comes && q == expected ? expected : -1);
        right &= from == (comes ? expected : -1) && got == -1;
    }
    right = bsp_all(right);
    bsp_end();
    puts(right ? "right" : "WRONG");
    return 0;
}
