/*
 * bsp_level1.h: the header that programs for the Oxford BSP Toolset include for the collective
 * calls (bsp_bcast, bsp_fold and the others of level 1). They are declared in bsp.h.
 */
#ifndef CLL_BSP_LEVEL1_H
#define CLL_BSP_LEVEL1_H

#include "bsp.h"

#endif /* CLL_BSP_LEVEL1_H */
