// Describes additions to the API for posts that are a calendar event, which people answer.

import { MAYBE_TEXT, TEXT, TIME, shapeOf } from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";
import { ANSWERS } from "./tables.ts";

export const events: Extension = {
  name: "events",
  members: {
    "ScheduledStatus.params.event": { type: "object" },
    "Status.event": shapeOf({
      name: TEXT,
      starts_at: TIME,
      ends_at: { type: ["string", "null"], format: "date-time" },
      place: MAYBE_TEXT,
      yes_count: { type: "integer" },
      maybe_count: { type: "integer" },
      no_count: { type: "integer" },
      answer: { enum: [...ANSWERS, null] },
      ics_url: { type: "string", format: "uri" },
    }),
  },
};
