/* A shared object with regions: finishes n samples of f. */
#define MARKED_FILE "plugin.c"
#include "marked.h"

void plugin(int n);
void plugin(int n)
{
    int i;
    for (i = 0; i < n; i++) {
        FRAME(f);
        BEGIN(f, 0, i, 1);
        END(f);
    }
}
