/* nested N: N samples of f, each around two of g; every other f is left by a return. Prints
 * how many were. */
#include <stdio.h>
#include <stdlib.h>
#include "marked.h"

static int body(int i, int n)
{
    int k;
    FRAME(f);
    BEGIN(f, 0, n, 1);
    for (k = 0; k < 2; k++) {
        FRAME(g);
        BEGIN(g, 1, k, 0);
        END(g);
    }
    if (i % 2)
        return 1;
    END(f);
    return 0;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10, left = 0, i;
    for (i = 0; i < n; i++)
        left += body(i, n);
    printf("%d\n", left);
    return 0;
}
