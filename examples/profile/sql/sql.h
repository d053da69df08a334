/*
 * sql.h: three tables of a shop, and six queries.
 */
#ifndef SQL_H
#define SQL_H

#include "../relations/relation.h"

/* TRAN: what was sold. ITEM: what there is. QNT: how much of a group is wanted. */
enum { TRAN_NUMBER, TRAN_ITEM, TRAN_QUANTITY, TRAN_DAY, TRAN_SHOP, TRAN_CLERK, TRAN_PAID, TRAN_COLUMNS };
enum { ITEM_NUMBER, ITEM_GROUP, ITEM_PRICE, ITEM_STOCK, ITEM_SUPPLIER, ITEM_COLUMNS };
enum { QNT_GROUP, QNT_WANTED, QNT_COLUMNS };

enum table { TRAN, ITEM, QNT };

/* What the queries make, in their order: TEMP1 to TEMP5 and the answer. */
enum { QUERIES = 6 };

/* How many rows a table has when TRAN has `records`; all rows from `first` on are made, by the table's own seed. */
long table_rows(enum table table, long records);
struct relation table_make(enum table table, long records, long first, long rows);

/* The six queries, on relations that are spread; the tables are taken to pieces. */
void sql_process(struct relation *tran, struct relation *item, struct relation *qnt,
                 struct relation made[QUERIES]);
/* The same on whole tables by one processor, in the plainest way. */
void sequentially(long records, struct relation made[QUERIES]);
/* Whether two relations have the same rows, in whatever order. */
int same_rows(struct relation *a, struct relation *b);

#endif
