/*
 * What every situation of ok/ begins with. A situation is a function of its own file that
 * all processors call; it begins after a bsp_sync, and ends after one with nothing
 * registered that was not before and with tags of size 0.
 */
#ifndef SITUATION_H
#define SITUATION_H

#include <bsp.h>
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

/* The number of messages in a queue. */
typedef bsp_nprocs_t count_t;

static inline int me(void) { return (int)bsp_pid(); }
static inline int procs(void) { return (int)bsp_nprocs(); }
static inline int right(void) { return (me() + 1) % procs(); }
static inline int left(void) { return (me() + procs() - 1) % procs(); }

/* The tag size of the superstep after next's receipts; returns what bsp_set_tagsize hands back. */
static inline long long set_tagsize(int size)
{
    bsp_size_t bytes = (bsp_size_t)size;
    bsp_set_tagsize(&bytes);
    return (long long)bytes;
}

/* Unread messages, and their bytes. */
static inline long long messages(void)
{
    count_t count = 77;
    bsp_size_t bytes = 77;
    bsp_qsize(&count, &bytes);
    return (long long)count;
}

static inline long long message_bytes(void)
{
    count_t count = 77;
    bsp_size_t bytes = 77;
    bsp_qsize(&count, &bytes);
    return (long long)bytes;
}

/* What bsp_get_tag says of the first unread message: its length, or -1. */
static inline long long first_tag(void *tag)
{
    bsp_size_t status = 77;
    bsp_get_tag(&status, tag);
    return status == (bsp_size_t)-1 ? -1 : (long long)status;
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

static inline int all_are(const void *bytes, size_t size, int value)
{
    for (size_t i = 0; i < size; i++)
        if (((const unsigned char *)bytes)[i] != value)
            return 0;
    return 1;
}

#endif
