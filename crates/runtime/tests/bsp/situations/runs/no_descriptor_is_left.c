/* A program may have all descriptors in use: its memory is its own as ever. */
// engine: processes
// output: all blocks are right
#include <bsp.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

int main(void)
{
    struct rlimit few = { 100, 100 };
    setrlimit(RLIMIT_NOFILE, &few);
    bsp_begin(bsp_nprocs());
    while (open("/dev/null", O_RDONLY) >= 0)
        ;
    int p = bsp_nprocs(), s = bsp_pid(), right = 1;
    for (int round = 0; round < 20; round++) {
        size_t size = 30000 + 20000 * (size_t)(round % 7);
        unsigned char *area = malloc(size), *other = NULL, byte = (unsigned char)(s + round);
        memset(area, 0, size);
        bsp_push_reg(area, (int)size);
        bsp_sync();
        bsp_put((s + 1) % p, &byte, area, (int)size - 1, 1);
        bsp_pop_reg(area);
        bsp_sync();
        right &= area[size - 1] == (unsigned char)((s + p - 1) % p + round);
        free(area);
        for (int i = 1; i < 10; i++) {
            other = malloc(size / (size_t)i);
            memset(other, i, size / (size_t)i);
            right &= other[0] == i && other[size / (size_t)i - 1] == i;
            free(other);
        }
    }
    bsp_send(0, NULL, &right, sizeof right);
    bsp_sync();
    if (s == 0) {
        for (int q = 0, its; q < p; q++) {
            bsp_move(&its, sizeof its);
            right &= its;
        }
        puts(right ? "all blocks are right" : "WRONG");
    }
    bsp_end();
    return 0;
}
