#ifndef IPR_HTTP_FILES_H
#define IPR_HTTP_FILES_H

#include "base/error.h"
#include "http/base/reply.h"

/*
 * Style sheets, scripts, images, samples: read and compressed once, served from memory by exact
 * name, so that no request ever becomes a path.
 *
 * Each has two addresses. /static/css/a.css is checked for changes at every use. At
 * /static/css/a.HASH.css, where HASH is of its content, it is kept for a year. Pages, scripts and
 * style sheets refer to "/static/css/a.css" or, within a folder, to "./a.js"; such references are
 * replaced by the second address while they are read.
 */

struct ipr_files;
struct ipr_tmpl_set;

/** Reads dir/{css,js,plots,vendor,img,samples,calibrations,api}; other folders and unknown types
 * are ignored. NULL: no files. IPR_EPARSE: files refer to each other in a cycle, so that none can
 * be hashed first. */
IPR_CHECK enum ipr_code ipr_files_load(const char *dir, struct ipr_files **out,
                                       struct ipr_err *err);

/** Replaces the references in templates, before any is rendered. */
void ipr_files_link(struct ipr_files *files, struct ipr_tmpl_set *templates);

/** NULL: there is no such file. */
const struct ipr_stored *ipr_files_get(const struct ipr_files *files, const char *dir,
                                       const char *name);

void ipr_files_free(struct ipr_files **files);

#endif
