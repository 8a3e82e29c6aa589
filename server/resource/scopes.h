#ifndef IPR_RESOURCE_SCOPES_H
#define IPR_RESOURCE_SCOPES_H

#include "base/str.h"

/** The purposes of a token; it is stored with a set of them. */
enum ipr_scope {
    IPR_SCOPE_READ = 1,   /* reading, where that is not open (INTRINSIC_READ) */
    IPR_SCOPE_UPLOAD = 2, /* bringing games */
    IPR_SCOPE_JUDGE = 4,  /* queueing analyses, bringing evaluations */
    IPR_SCOPE_ADMIN = 8,  /* what changes or deletes what others brought */
    IPR_SCOPES_ALL = 15
};

/** Reads "upload,judge". False when a word is no scope, or there is none. */
bool ipr_scopes_read(struct ipr_str list, unsigned *out);

/** "read,upload,judge,admin" and its NUL. */
#define IPR_SCOPES_TEXT 24
void ipr_scopes_text(unsigned scopes, char out[IPR_SCOPES_TEXT]);

#endif
