// What is deleted of media by age: uploads that nobody posted, and files that a crash left.

import { addDays } from "../../platform/ids/index.ts";
import type { DeleteSlice } from "../../platform/jobs/retention.ts";
import { deleteOldUploads, uploadFolder } from "../../platform/storage/uploads.ts";
import { deleteUnattached } from "./queries.ts";

export const deleteUnusedUploads: DeleteSlice = async (app, now) => {
  // Their rows went a day before.
  await deleteOldUploads(uploadFolder(app.config.dataDir), addDays(now, -2));
  return deleteUnattached(app.sql, addDays(now, -1));
};
