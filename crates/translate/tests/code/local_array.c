/* Written to be compared with itself without markers, by instructions. */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    int bins[16] = { 0 };
    unsigned s = 1;
    for (int r = 0; r < 3; r++) {
#pragma cll h h[0] + h[1]*n
        for (int i = 0; i < n; i++) { s = s * 1664525u + 1013904223u; bins[s >> 28]++; }
#pragma cll end h
    }
    for (int i = 0; i < 16; i++) printf("%d ", bins[i]);
    puts("");
    return 0;
}
