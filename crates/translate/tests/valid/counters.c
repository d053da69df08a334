int other(int);
int f(int n)
{
#pragma cll f counters(page-faults, PAPI_TOT_INS) f[0] + f[1]*n
    other(n);
#pragma cll end f
#pragma cll h every(5) counters(sde:::lib::steps, "perf::LLC-load-misses", page-faults, page-faults) uses(n) h[0]
    return other(n);
#pragma cll end h
}
