/* Work before, in and behind a region: each stays where it is. */
double before[512], within[512], behind[512];
void all(const double *x, int n)
{
    for (int i = 0; i < n; i++) before[i] = x[i] * 3;
#pragma cll work work[0] + work[1]*n
    for (int i = 0; i < n; i++) within[i] = x[i] + 5;
#pragma cll end work
    for (int i = 0; i < n; i++) behind[i] = x[i] - 7;
}
int main(void)
{
    static double x[512];
    for (int i = 0; i < 512; i++) x[i] = i + 10;
    all(x, 512);
    return (int)behind[3];
}
