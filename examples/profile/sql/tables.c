/*
 * tables.c: what the shop's tables hold: numbers that look like chance, the same in every run.
 */
#include "sql.h"

#define ITEMS 2400
#define GROUPS 48

long table_rows(enum table table, long records)
{
    switch (table) {
    case ITEM:
        return records < ITEMS ? records / 2 + 1 : ITEMS;
    case QNT:
        return GROUPS;
    default:
        return records;
    }
}

/* The k-th number of a row. */
static uint64_t number(enum table table, long row, int k)
{
    uint64_t x = (uint64_t)row * 16 + (uint64_t)k + ((uint64_t)table << 56) + 2002;
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

static void fill(enum table table, long records, long row, cell *cells)
{
    long items = table_rows(ITEM, records);
#define CHANCE(k, n) ((cell)(number(table, row, k) % (uint64_t)(n)))
    switch (table) {
    case TRAN:
        cells[TRAN_NUMBER] = row;
        cells[TRAN_ITEM] = CHANCE(1, items);
        cells[TRAN_QUANTITY] = 1 + CHANCE(2, 20);
        cells[TRAN_DAY] = CHANCE(3, 365);
        cells[TRAN_SHOP] = CHANCE(4, 50);
        cells[TRAN_CLERK] = CHANCE(5, 900);
        cells[TRAN_PAID] = CHANCE(6, 100000);
        break;
    case ITEM:
        /* From the last to the first. */
        cells[ITEM_NUMBER] = items - 1 - row;
        cells[ITEM_GROUP] = CHANCE(1, GROUPS);
        cells[ITEM_PRICE] = CHANCE(2, 1000);
        cells[ITEM_STOCK] = CHANCE(3, 500);
        cells[ITEM_SUPPLIER] = CHANCE(4, 40);
        break;
    default:
        cells[QNT_GROUP] = (row * 7 + 5) % GROUPS;
        cells[QNT_WANTED] = CHANCE(1, 1000);
    }
}

struct relation table_make(enum table table, long records, long first, long rows)
{
    int columns = table == TRAN ? TRAN_COLUMNS : table == ITEM ? ITEM_COLUMNS : QNT_COLUMNS;
    struct relation made = relation_new(columns, rows);
    for (long k = 0; k < rows; k++)
        fill(table, records, first + k, relation_row(&made, k));
    made.total = table_rows(table, records);
    return made;
}
