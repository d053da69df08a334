/*
 * sieve.c: counts the primes up to N, N given as the program's argument.
 *
 * Shows: a program without a sampling loop; cll varies the argument instead.
 *
 *   cll model examples/sieve/sieve.c --vary N=20000:5000000:*1.4 --predict N=10000000 -- {N}
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Leaves 1 in composite[k] where k is composite, 2 <= k <= N; returns the number of primes. */
static long sieve(unsigned char *composite, long N)
{
    long k, m, primes = 0;
#pragma cll sieve sieve[0] + sieve[1]*N*log(log(N))
    for (k = 2; k <= N; k++) {
        if (composite[k])
            continue;
        primes++;
        if (k <= N / k)
            for (m = k * k; m <= N; m += k)
                composite[m] = 1;
    }
#pragma cll end sieve
    return primes;
}

int main(int argc, char **argv)
{
    long N = argc == 2 ? atol(argv[1]) : 0, primes = 0;
    unsigned char *composite;
    int r;
    if (N < 2) {
        fputs("usage: sieve N, N at least 2\n", stderr);
        return 2;
    }
    composite = malloc((size_t)N + 1);
    if (composite == NULL) {
        perror("sieve");
        return 2;
    }
    for (r = 0; r < 3; r++) {
        memset(composite, 0, (size_t)N + 1);
        primes = sieve(composite, N);
    }
    free(composite);
    printf("%ld primes up to %ld\n", primes, N);
    return (N == 1000000 && primes != 78498) || (N == 10000 && primes != 1229);
}
