/* Written to be compared with itself without markers, by instructions. */
#include <stdio.h>
#include <stdlib.h>
#define S 40
static int grid[S][S], other[S][S];
static int life(int n)
{
    int alive = 0;
    for (int i = 1; i < n - 1; i++)
#pragma cll row row[0] + row[1]*n
        for (int j = 1; j < n - 1; j++) {
            int c = grid[i-1][j-1] + grid[i-1][j] + grid[i-1][j+1] + grid[i][j-1] + grid[i][j+1]
                + grid[i+1][j-1] + grid[i+1][j] + grid[i+1][j+1];
            other[i][j] = c == 3 || (c == 2 && grid[i][j]);
            alive += other[i][j];
        }
#pragma cll end row
    return alive;
}
int main(void)
{
    for (int i = 0; i < S; i++) for (int j = 0; j < S; j++) grid[i][j] = (i * 7 + j * 3) % 5 < 2;
    long s = 0;
    for (int r = 0; r < 20; r++) { s += life(S); grid[r][r] ^= 1; }
    printf("%ld\n", s);
    return 0;
}
