/* openmp N: N samples of f and one of g in each thread of a team. Prints N times its size. */
#define MARKED_MODEL "OpenMP"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include "marked.h"

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10, team = 0;
#pragma omp parallel default(none) shared(n, team)
    {
        int i;
        FRAME(g);
        BEGIN(g, 1, cll_openmp_processor(), 0);
        for (i = 0; i < n; i++) {
            FRAME(f);
            BEGIN(f, 0, i, cll_openmp_processors());
            END(f);
        }
        END(g);
#pragma omp single
        team = omp_get_num_threads();
    }
    if (cll_openmp_processors() < team)
        return 1;
    printf("%d\n", n * team);
    return 0;
}
