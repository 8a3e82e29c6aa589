#ifndef IPR_INGEST_PIPE_H
#define IPR_INGEST_PIPE_H

#include "ingest/batch.h"

/* A bounded queue of batches from the reading thread to the storing thread; it bounds the memory of
 * an import. */

struct ipr_pipe;

struct ipr_pipe *ipr_pipe_new(void);
void ipr_pipe_free(struct ipr_pipe **p); /* both threads are done */

/** Reading side: an empty batch; waits for one. NULL when the storing side has stopped. */
struct ipr_batch *ipr_pipe_blank(struct ipr_pipe *p);
/** Reading side: sends a batch that is full, or the last one. */
void ipr_pipe_send(struct ipr_pipe *p, struct ipr_batch *b);
/** Reading side: end of the input. */
void ipr_pipe_close(struct ipr_pipe *p);

/** Storing side: the next batch in order; waits for one. NULL at the end. */
struct ipr_batch *ipr_pipe_receive(struct ipr_pipe *p);
/** Storing side: returns a stored batch, which is emptied and reused. */
void ipr_pipe_return(struct ipr_pipe *p, struct ipr_batch *b);
/** Storing side: stops the reader. */
void ipr_pipe_give_up(struct ipr_pipe *p);

#endif
