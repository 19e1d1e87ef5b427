// Deletes media by age: uploads that nobody posted, files that a crash left, and copies of remote files, also those
// beyond MEDIA_CACHE_GB.

import { addDays } from "../../../platform/ids/index.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";
import { deleteOldUploads } from "../../../platform/storage/uploads.ts";
import { deleteUnattached } from "./queries.ts";
import { deleteBeyond, deleteUnused } from "./remote/queries.ts";

export const deleteUnusedUploads: DeleteSlice = async (app, now) => {
  // The rows of these files were deleted a day before.
  await deleteOldUploads(app, addDays(now, -2));
  return deleteUnattached(app.sql, addDays(now, -1));
};

/** Days for which a copy is kept that nobody looks at. */
const COPY_DAYS = 30;

export const deleteRemoteFiles: DeleteSlice = async (app, now) => {
  const { isMore } = await deleteUnused(app.sql, addDays(now, -COPY_DAYS));
  return isMore || deleteBeyond(app.sql, app.config.media.cacheBytes);
};
