// Describes the addition to the API for muted hashtags, whose posts and threads are left out of one's home.

import { MAYBE_TEXT } from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";

export const mutedTags: Extension = {
  name: "muted_tags",
  members: { "Tag.muting": { type: "boolean" }, "Tag.muting_expires_at": MAYBE_TEXT },
};
