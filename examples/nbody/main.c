/*
 * nbody: bodies that attract one another, every one every other; a program of
 * several files with a Makefile that knows nothing of cll.
 *
 * Shows: experiments in different files of one program, measured through the
 * program's own build.
 *
 *   cd examples/nbody
 *   make CC="cll cc"
 *   cll run ./nbody 1500
 *   cll fit nbody.cll.0.dat
 */
#include "bodies.h"

#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 5 };

int main(int argc, char **argv)
{
    int largest = argc == 2 ? atoi(argv[1]) : 0, n = largest, step, right = 1;
    struct body *bodies;
    if (largest < 2) {
        fputs("usage: nbody LARGEST, at least 2 bodies\n", stderr);
        return 2;
    }
    bodies = malloc(sizeof *bodies * (size_t)largest);
    if (bodies == NULL) {
        perror("nbody");
        return 2;
    }
    scatter(bodies, largest);

#pragma cll for (n = 20; n <= largest; n += n / 4)
    scatter(bodies, n);
    for (step = 0; step < STEPS; step++) {
        attract(bodies, n);
        move(bodies, n, 1e-4);
    }
    right &= momentum(bodies, n) < 1e-12;
#pragma cll end for

    free(bodies);
    puts(right ? "nbody: momentum is conserved" : "nbody: WRONG");
    return right ? 0 : 1;
}
