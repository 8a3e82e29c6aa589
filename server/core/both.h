#ifndef IPR_CORE_BOTH_H
#define IPR_CORE_BOTH_H

/** Calls f(a) on a thread of its own and f(b) meanwhile; one after the other where no thread can be
 * had. */
void ipr_both(void (*f)(void *), void *a, void *b);

#endif
