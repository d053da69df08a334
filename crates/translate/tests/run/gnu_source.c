/* std: c99 c11 gnu89 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#define double broken
#define static
#define value broken

int main(void)
{
    char text[] = "abc";
    int n = 3;
#pragma cll f f[0]*n
    printf("%d\n", memrchr(text, 'c', 3) == text + 2 && strchrnul(text, 'x') == text + 3);
#pragma cll end f
    return 0;
}
