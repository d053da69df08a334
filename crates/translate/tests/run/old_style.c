/* std: gnu89 */
#include <stdio.h>
int add(a, b)
    int a;
    int b;
{
#pragma cll f f[0]*a
    int c = a + b;
#pragma cll end f
#pragma cll g g[0]*c
    int d = c;
    return d;
#pragma cll end g
}
int main()
{
#pragma cll h h[0]
    printf("%d\n", add(1, 2));
#pragma cll end h
    return 0;
}
