/* std: c99 c11 gnu89 */
#include <stdio.h>

int main(void)
{
    int n = 3; /* latin-1 é */
    #pragma cll f f[0] /* a constant */ + \
        f[1]*n
    printf("%d %s\n", __LINE__, __FILE__);
	#	pragma\
 cll end f /* two
 lines */ 
    %:pragma cll g g[0]*n /* no */ 
    printf("%d\n", __LINE__);
    #pragma cll end g
    return 0;
}