/* The table with which samples are gathered, for programs of which no source knows mpi.h. Compiled together with
 * the transport. */
#include <mpi.h>

/* The library gives its own. */
#define CLL_VERSION 0
#define CLL_MPI_ENGINE
#include "cll_mpi.h"

__attribute__((visibility("default"))) const struct cll_mpi *cll_mpi_gathering(unsigned version, void (*ends)(void))
{
    static struct cll_mpi table;
    table = cll_mpi_table;
    table.cll_version = version;
    cll_mpi_ends = ends;
    return &table;
}
