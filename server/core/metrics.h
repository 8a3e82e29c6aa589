#ifndef IPR_CORE_METRICS_H
#define IPR_CORE_METRICS_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Writes metrics in the Prometheus text format, version 0.0.4: families one after another, each
 * with HELP and TYPE before its samples. */

#define IPR_METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

enum ipr_metric_type { IPR_METRIC_COUNTER, IPR_METRIC_GAUGE, IPR_METRIC_HISTOGRAM };

struct ipr_metric_label {
    const char *name;  /* [a-zA-Z_][a-zA-Z0-9_]* */
    const char *value; /* any UTF-8 */
};

/** Begins a family. `name` matches [a-zA-Z_:][a-zA-Z0-9_:]* and occurs once in an answer;
 * counters end in "_total". */
void ipr_metric_family(struct ipr_buf *out, const char *name, enum ipr_metric_type type,
                       const char *help);

/** A sample of the current family; `name` is its name, for a histogram followed by "_bucket",
 * "_sum" or "_count". */
void ipr_metric_sample(struct ipr_buf *out, const char *name, const struct ipr_metric_label *labels,
                       size_t n_labels, double value);

/** A family of one sample without labels. */
void ipr_metric_one(struct ipr_buf *out, const char *name, enum ipr_metric_type type,
                    const char *help, double value);

/** The samples of a histogram: `counts[i]` observations in (bounds[i - 1], bounds[i]], counts[n]
 * above all bounds. */
void ipr_metric_histogram(struct ipr_buf *out, const char *name, const double *bounds,
                          const uint64_t *counts, size_t n, double sum);

#endif
