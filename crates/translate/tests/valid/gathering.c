#include <mpi.h>
#pragma cll parallel MPI
void f(int n)
{
#pragma cll f f[0]*n
    n++;
#pragma cll end f
#pragma cll report f
}
// ends in a backslash \