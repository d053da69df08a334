/*
 * mcbsp.h: bsp.h with the types of MulticoreBSP for C, unsigned int and size_t, for programs that
 * include this name. With MCBSP_COMPATIBILITY_MODE defined, as in MulticoreBSP, with int.
 */
#ifndef CLL_MCBSP_H
#define CLL_MCBSP_H

#if !defined(MCBSP_COMPATIBILITY_MODE) && !defined(BSP_SIZE_T)
#ifdef CLL_BSP_H
#error "mcbsp.h is included after bsp.h: leave bsp.h out, or define BSP_SIZE_T before it"
#endif
#define BSP_SIZE_T
#endif

#include "bsp.h"

#endif /* CLL_MCBSP_H */
