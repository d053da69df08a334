#pragma cll parallel BSP procs = 1,2,3
void f(int n)
{
#pragma cll sync f f[0]*n/P + f[1]*pid
    n++;
#pragma cll end f
}
