/*
 * What every situation of ok/ begins with. A situation is a function of its own file that
 * all processors call with the machine of all; it begins after a bsp_sync of it.
 */
#ifndef SITUATION_H
#define SITUATION_H

#include <pub.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What does not hold is told with its line and processor; the situation goes on, so that the
 * processors stay in step. */
#define CHECK(condition) situation_check((condition) != 0, #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(value, expected) \
    situation_check_equal((long long)(value), (long long)(expected), #value, __FILE__, __LINE__)

void situation_check(int holds, const char *condition, const char *file, int line);
void situation_check_equal(long long value, long long expected, const char *what,
                           const char *file, int line);

static inline int right_of(t_bsp *m) { return (bsp_pid(m) + 1) % bsp_nprocs(m); }
static inline int left_of(t_bsp *m) { return (bsp_pid(m) + bsp_nprocs(m) - 1) % bsp_nprocs(m); }

static inline void send_int(t_bsp *m, int to, int value) { bsp_send(m, to, &value, sizeof value); }

/* The value of message i; -1 if it is no int. */
static inline int got_int(t_bsp *m, int i)
{
    t_bspmsg *message = bsp_getmsg(m, i);
    return bspmsg_size(message) == sizeof(int) ? *(int *)bspmsg_data(message) : -1;
}

/* Byte i of a pattern that differs by seed and place. */
static inline unsigned char pattern(unsigned seed, size_t i)
{
    uint64_t x = (seed + 1) * 0x9E3779B97F4A7C15u + i * 0xBF58476D1CE4E5B9u;
    return (unsigned char)(x >> 56 ^ x >> 31);
}

static inline void fill(void *to, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)to)[i] = pattern(seed, i);
}

static inline int is_filled(const void *bytes, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++)
        if (((const unsigned char *)bytes)[i] != pattern(seed, i))
            return 0;
    return 1;
}

/* Divides a machine in the middle; the first half has the smaller part. */
static inline void halve(t_bsp *m, t_bsp *half)
{
    int bounds[2] = { bsp_nprocs(m) / 2, bsp_nprocs(m) };
    bsp_partition(m, half, 2, bounds);
}

#endif
