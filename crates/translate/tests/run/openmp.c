/* std: c99 c11 gnu89; flags: -fopenmp; sorted */
#pragma cll parallel OpenMP procs = 1:4:2
#include <stdio.h>
#include <omp.h>

#define N 64

static double a[N];

int main(void)
{
    int i, total = 0, n = N, k;
    double sum = 0;
    omp_set_num_threads(2);
#pragma cll loops loops[0] + loops[1]*n/P
#pragma omp parallel for
    for (i = 0; i < n; i++)
        a[i] = i;
#pragma cll end loops
#pragma omp parallel default(none) shared(n, a, total) private(i, k)
#pragma cll team team[0]*pid + team[1]*P
    {
#pragma omp for reduction(+:total)
        for (i = 0; i < n; i++) {
#pragma cll body every(8) body[0]*i
            total += (int)a[i];
#pragma cll end body
        }
#pragma cll sync single single[0]*n
#pragma omp single
        total += n;
#pragma cll end single
        switch (omp_get_thread_num()) {
        case 0:
#pragma cll inner inner[0]
            k = 1;
            break;
#pragma cll end inner
        default:
            k = 2;
        }
        (void)k;
    }
#pragma cll end team
#pragma omp parallel
    switch (n) {
    case N:
#pragma cll bare bare[0]
        if (n)
            break;
#pragma cll end bare
    }
#pragma omp parallel sections reduction(+:sum)
    {
#pragma omp section
#pragma cll section section[0]
        sum += 1;
#pragma cll end section
#pragma omp section
        {
#pragma cll section section[0]
            sum += 2;
#pragma cll end section
        }
    }
#pragma cll sync alone alone[0]*P
    total++;
#pragma cll end alone
    printf("%d %g\n", total, sum);
    return 0;
}
