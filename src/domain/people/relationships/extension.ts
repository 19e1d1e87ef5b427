// Describes additions to the API for options of a follow (without replies, or a daily limit of posts).

import type { Extension } from "../../../platform/http/extension.ts";

export const followOptions: Extension = {
  name: "follow_options",
  members: {
    "Relationship.showing_replies": { type: "boolean" },
    "Relationship.daily_limit": { type: ["integer", "null"] },
  },
};
