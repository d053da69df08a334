/* Bodies in space that attract one another; units in which G is 1. */
#ifndef BODIES_H
#define BODIES_H

struct body {
    double position[3], velocity[3], force[3], mass;
};

/* Puts n bodies of mass 1/n at rest into the unit cube, the same ones each time. */
void scatter(struct body *bodies, int n);

/* Computes the force on each body from all the others. */
void attract(struct body *bodies, int n);

/* Moves each body by one step of time dt. */
void move(struct body *bodies, int n, double dt);

/* The largest component of the total momentum; 0 but for rounding. */
double momentum(const struct body *bodies, int n);

#endif
