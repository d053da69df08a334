/* std: c99 c11; flags: */
#include <stdio.h>

static int fläche(int größe, int höhe)
{
    int summe = 0;
#pragma cll füll uses(höhe) füll[0] + füll[1]*größe
    for (int i = 0; i < größe * höhe; i++)
        summe += i;
#pragma cll end füll
    return summe;
}

int main(void)
{
    printf("%d\n", fläche(3, 4));
    return 0;
}
