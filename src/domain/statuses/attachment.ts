// Describing uploads, also those of posts: as an edit of the post.

import type { App } from "../../platform/app.ts";
import { changeUpload } from "../media/upload.ts";
import type { UploadInput } from "../media/upload.ts";
import type { UploadRow } from "../media/tables.ts";
import { editAttachment } from "./edit.ts";

/**
 * Changes the description, focus or preview of somebody's own upload. Where it is part of a post, the post has one more
 * version, and everybody who has it gets the change. NotFound for others' uploads.
 */
export const changeAttachment = (
  app: App,
  accountId: string,
  id: string,
  input: UploadInput,
): Promise<UploadRow> =>
  changeUpload(app, accountId, id, input, (statusId, change) =>
    editAttachment(app, statusId, id, change),
  );
