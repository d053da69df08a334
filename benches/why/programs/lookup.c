/* Random places of a table, by numbers that need no memory. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t *make(size_t number)
{
    uint32_t *made = malloc(number * sizeof *made);
    size_t k;
    if (made == NULL)
        exit(2);
    for (k = 0; k < number; k++)
        made[k] = (uint32_t)k;
    return made;
}

int main(void)
{
    uint32_t *table = make(1 << 17);
    uint64_t state = 5;
    long N = 0, k, sum = 0;
#pragma cll for (N = 512; N < 65536; N += N / 5)
#pragma cll lookup lookup[0] + lookup[1]*N
    for (k = 0; k < 4 * N; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        sum += table[(long)((state >> 33) % (uint64_t)N)];
    }
#pragma cll end lookup
#pragma cll end for
    printf("%ld\n", sum);
    return 0;
}
