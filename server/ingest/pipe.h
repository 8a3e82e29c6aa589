#ifndef IPR_INGEST_PIPE_H
#define IPR_INGEST_PIPE_H

#include "ingest/batch.h"

/* Batches from the thread that reads to the thread that stores, a few at a time: so many are all
 * the memory an import takes. */

struct ipr_pipe;

struct ipr_pipe *ipr_pipe_new(void);
void ipr_pipe_free(struct ipr_pipe **p); /* both threads are done */

/** Reading side: an empty batch; waits for one. NULL when the storing side has given up. */
struct ipr_batch *ipr_pipe_blank(struct ipr_pipe *p);
/** Reading side: a batch is full, or the last one. */
void ipr_pipe_send(struct ipr_pipe *p, struct ipr_batch *b);
/** Reading side: nothing more comes. */
void ipr_pipe_close(struct ipr_pipe *p);

/** Storing side: the next batch in order; waits for one. NULL at the end. */
struct ipr_batch *ipr_pipe_receive(struct ipr_pipe *p);
/** Storing side: the batch is stored; it is emptied and used again. */
void ipr_pipe_return(struct ipr_pipe *p, struct ipr_batch *b);
/** Storing side: no more is wanted. */
void ipr_pipe_give_up(struct ipr_pipe *p);

#endif
