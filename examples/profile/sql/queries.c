/*
 * queries.c: the six queries, each on what those before it have made.
 */
#include "sql.h"

/* TEMP1: SELECT item, SUM(quantity) FROM tran GROUP BY item */
static struct relation temp1(struct relation *tran)
{
    return group_by(tran, TRAN_ITEM, TRAN_QUANTITY);
}

/* TEMP2: SELECT * FROM temp1, item WHERE temp1.item = item.number */
static struct relation temp2(const struct relation *temp1, const struct relation *item)
{
    return join_equal(temp1, 0, item, ITEM_NUMBER);
}

/* TEMP3: SELECT group, SUM(sold) FROM temp2 GROUP BY group */
static struct relation temp3(struct relation *temp2)
{
    return group_by(temp2, 2 + ITEM_GROUP, 1);
}

/* TEMP4: SELECT * FROM temp3, qnt WHERE temp3.group = qnt.group */
static struct relation temp4(const struct relation *temp3, const struct relation *qnt)
{
    return join_equal(temp3, 0, qnt, QNT_GROUP);
}

/* TEMP5: SELECT * FROM temp4, item WHERE temp4.wanted < item.stock */
static struct relation temp5(const struct relation *temp4, const struct relation *item)
{
    return join_less(temp4, 2 + QNT_WANTED, item, ITEM_STOCK);
}

/* SELECT * FROM temp5 WHERE price IN 'low 1%' */
static struct relation answer(struct relation *temp5)
{
    return filter_low(temp5, 2 + QNT_COLUMNS + ITEM_PRICE, 1);
}

void sql_process(struct relation *tran, struct relation *item, struct relation *qnt,
                 struct relation made[QUERIES])
{
    made[0] = temp1(tran);
    made[1] = temp2(&made[0], item);
    made[2] = temp3(&made[1]);
    made[3] = temp4(&made[2], qnt);
    made[4] = temp5(&made[3], item);
    made[5] = answer(&made[4]);
}
