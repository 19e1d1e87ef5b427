// What options of a follow (without replies, or so many posts of a day) add to the API.

import type { Extension } from "../../../platform/http/extension.ts";

export const followOptions: Extension = {
  name: "follow_options",
  members: {
    "Relationship.showing_replies": { type: "boolean" },
    "Relationship.daily_limit": { type: ["integer", "null"] },
  },
};
