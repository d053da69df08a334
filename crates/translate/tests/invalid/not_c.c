This is {{{ no C (at all
#pragma cll f f[0]
 } ) else case if (
#pragma cll end f
#pragma cll g
