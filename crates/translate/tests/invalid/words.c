#pragma cll paralel OpenMP
#pragma cll parallel openmp
#pragma parallel PUB gbsp
#pragma cll parallel OpenMP handle
#pragma cll parallel OpenMP procs = 8:1:2
#pragma cll parallel OpenMP procs = 1:8:2
#pragma cll parallel
int f(int n)
{
#pragma cll D D[0] + D[1] * n
    n++;
#pragma ll end D
#pragma cll E E[0]
#pragma cll ned E
#pragma cll end E
#pragma cll reprot all
#pragma cll report
#pragma cll end
#pragma cll end E again
#pragma cll sync sync[0]
#pragma cll
#pragma cll 3 f[0]
#pragma cll f
#pragma cll f every(0) f[0]
#pragma cll f every(3) every(4) f[0]
#pragma cll f every(3 f[0]
#pragma cll f counters(PAPI_L1_DCM, PAPI_TOT_INS) f[0]
#pragma cll f counters(1) f[0]
#pragma cll f auto
#pragma cll f uses(n, ) f[0]
#pragma cll f uses(n == 3, m = n = 3) f[0]
#pragma cll f uses(N = , if = n, N = n, N = n + 1, ) f[0]*N
#pragma cll f f[0] * f[1]
#pragma cll report f g, h 3
#if 0
#pragma cll what is this
#pragma cll end that
#endif
    return _Pragma("cll f f[0]") n;
}
#pragma cllf is another's
#pragma omp parallel
#pragma once
