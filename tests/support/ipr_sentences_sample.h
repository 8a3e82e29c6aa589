#ifndef IPR_SENTENCES_SAMPLE_H
#define IPR_SENTENCES_SAMPLE_H

/** Reads the sentences of the repository, once for a program; what composes sentences needs them.
 */
void ipr_sentences_sample(void);

#endif
