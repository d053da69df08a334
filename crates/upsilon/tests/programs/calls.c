/* calls.c: a smoothed grid: functions called inside of loops, with a structure as an argument. */
#include <math.h>
#include <string.h>

#define POINTS 5

struct grid {
    int rows, columns;
    double *cell;
};

static double weight(int k)
{
    return 1.0 / (1 + k * k);
}

static double smoothed(const struct grid *g, int row, int column)
{
    double sum = 0;
    for (int k = 0; k < POINTS; k++)
        sum += weight(k) * g->cell[(row * g->columns + column + k) % g->columns];
    return sum;
}

static void smooth_row(struct grid *g, int row, double *to)
{
    int column;
    for (column = 0; column < g->columns; column++)
        to[column] = smoothed(g, row, column);
    memcpy(g->cell + row * g->columns, to, sizeof *to * g->columns);
}

void smooth(struct grid *g, double *to)
{
#pragma cll smooth smooth[0] + smooth[1]*g->rows + smooth[2]*g->rows*g->columns
    for (int row = 0; row < g->rows; row++)
        smooth_row(g, row, to);
#pragma cll end smooth
}
