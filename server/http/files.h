#ifndef IPR_HTTP_FILES_H
#define IPR_HTTP_FILES_H

#include "base/error.h"

/* Style sheets, scripts, images, samples: read once, served from memory by exact name, so that
 * no request ever becomes a path. */

struct ipr_files;

/** Reads dir and dir/{css,js,img,samples}; folders and types unknown are left alone. NULL: no
 * files. */
IPR_CHECK enum ipr_code ipr_files_load(const char *dir, struct ipr_files **out,
                                       struct ipr_err *err);
void ipr_files_free(struct ipr_files **files);

#endif
