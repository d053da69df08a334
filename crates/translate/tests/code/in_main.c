/* Written to be compared with itself without markers, by instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char composite[1 << 20];
int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 100000;
    int count = 0;
#pragma cll sieve sieve[0] + sieve[1]*N
    for (int i = 2; (long)i * i <= N; i++)
        if (!composite[i])
            for (int j = i * i; j <= N; j += i)
                composite[j] = 1;
    for (int i = 2; i <= N; i++)
        if (!composite[i]) count++;
#pragma cll end sieve
    printf("%d\n", count);
    return 0;
}
