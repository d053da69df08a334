#pragma cll parallel PUB gbsp procs = 1:8:2
void f(t_bsp *gbsp, int n)
{
#pragma cll sync f f[0] + f[1]*n/P + f[2]*pid
    n++;
#pragma cll end f
}
