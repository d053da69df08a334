/*
 * sieve.c: the primes up to N, by the sieve of Eratosthenes. Writes with many strides.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VOLUME = 6000000, FEWEST = 6 };

/* Leaves 1 in composite[k] where k is composite, 2 <= k <= n; returns the number of primes. */
static long sieve(unsigned char *composite, long n)
{
    long k, m, primes = 0;
    for (k = 2; k <= n; k++) {
        if (composite[k])
            continue;
        primes++;
        if (k <= n / k)
            for (m = k * k; m <= n; m += k)
                composite[m] = 1;
    }
    return primes;
}

int main(int argc, char **argv)
{
    long N = argc == 2 ? atol(argv[1]) : 0, r, primes, same = 1;
    unsigned char *composite;
    if (N < 2 || (composite = calloc((size_t)N + 1, 1)) == NULL) {
        fputs("usage: sieve N\n", stderr);
        return 2;
    }
    primes = sieve(composite, N); /* every page is touched before anything is timed */
    for (r = 0; r < FEWEST + VOLUME / N; r++) {
        long found;
        memset(composite, 0, (size_t)N + 1);
#pragma cll sieve sieve[0] + sieve[1]*N*log(log(N))
        found = sieve(composite, N);
#pragma cll end sieve
        same &= found == primes;
    }
    free(composite);
    printf("%ld\n", primes);
    return same ? 0 : 1;
}
