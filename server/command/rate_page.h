#ifndef IPR_COMMAND_RATE_PAGE_H
#define IPR_COMMAND_RATE_PAGE_H

#include "base/str.h"
#include "tmpl/mustache.h"

/* Templates of the page of a report (rate/report.h), which needs no other file: styles and scripts
 * of the site are inside. */

struct ipr_rate_page {
    struct ipr_tmpl_set *templates; /* "report" is the page */
    struct ipr_buf scripts;         /* their digests, for the policy */
};

/** Reads templates, sentences, styles and scripts, from a folder that has templates/ and static/;
 * if it has not, from share/intrinsic beside the folder of this program, where an installed one has
 * them. IPR_EIO and others: one of them is not there, or not as it must be. */
IPR_CHECK enum ipr_code ipr_rate_page_open(const char *home, struct ipr_rate_page *out,
                                           struct ipr_err *err);

void ipr_rate_page_close(struct ipr_rate_page *page);

#endif
