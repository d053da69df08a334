void f(int n)
{
#pragma omp parallel
    n++;
#pragma cll f f[0]*n/P
    n++;
#pragma cll end f
}
