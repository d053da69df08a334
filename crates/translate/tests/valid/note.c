#include <math.h>
int other(int);
int f(int n)
{
    int i;
#pragma cll parallel OpenMP procs = 1,2,3,6
#pragma omp parallel for
    for (i = 0; i < n; i++)
    {
        switch (i) { case 0:
        #pragma cll f /* a comment */ every(10) f[0] + f[1]*n*2 // doubled
            if (i) break;
            other(i);
        #pragma cll end f
        }
    }
#pragma cll report f elsewhere
    return i;
}
