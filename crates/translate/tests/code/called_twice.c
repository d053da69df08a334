/* Written to be compared with itself without markers, by instructions. */
#include <stdio.h>
#include <stdlib.h>
static int step(unsigned *state, int n)
{
    int hits = 0;
#pragma cll walk walk[0] + walk[1]*n
    for (int i = 0; i < n; i++) {
        *state = *state * 1664525u + 1013904223u;
        if ((*state >> 24) < 17) hits++;
    }
#pragma cll end walk
    return hits;
}
int main(int argc, char **argv)
{
    unsigned state = 42; int total = 0;
    int n = argc > 1 ? atoi(argv[1]) : 3000;
    for (int i = 0; i < 30; i++) total += step(&state, n);
    printf("%d %u\n", total, state);
    total += step(&state, n / 2);
    return total == 0;
}
