/* Ranks that run on cores of their own compute for a while before their time is taken: an idle virtual machine gets its
 * cores only then. WARM_UP: milliseconds. */
#include <mpi.h>
#include <stdlib.h>

static void warm_up(void)
{
    const char *text = getenv("WARM_UP");
    double length, begin;
    if (text == NULL)
        return;
    length = 1e-3 * atof(text);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    while (MPI_Wtime() - begin < length)
        ;
}
