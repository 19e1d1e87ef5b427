// Describes the addition to the API for muted hashtags, whose posts and threads are left out of one's home.

import { MAYBE_TEXT, toPeople } from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";

export const mutedTags: Extension = {
  name: "muted_tags",
  routes: {
    "GET /api/v1/muted_tags": toPeople("tags", ["Tag"]),
    "POST /api/v1/tags/{name}/mute": toPeople("tags", "Tag", "404", "422"),
    "POST /api/v1/tags/{name}/unmute": toPeople("tags", "Tag", "404"),
  },
  members: { "Tag.muting": { type: "boolean" }, "Tag.muting_expires_at": MAYBE_TEXT },
};
