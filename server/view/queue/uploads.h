#ifndef IPR_VIEW_QUEUE_UPLOADS_H
#define IPR_VIEW_QUEUE_UPLOADS_H

#include "db/uploads.h"
#include "view/view.h"

/** Counts of an upload with its id and "done". New reference. */
json_t *ipr_view_upload_counts(const struct ipr_db_upload *u);
/** The same with when, whence and for which judge. */
json_t *ipr_view_upload_row(const struct ipr_db_upload *u);

#endif
