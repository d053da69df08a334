#pragma cll parallel MPI
void f(int n)
{
#pragma cll sync f f[0]*n/P
    n++;
#pragma cll end f
}
