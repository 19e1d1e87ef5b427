// Describes the addition to the API for hours in which nothing is sent about notifications.

import { MAYBE_TEXT } from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";

export const quietHours: Extension = {
  name: "quiet_hours",
  members: {
    "Preferences.notifying:quiet_from": MAYBE_TEXT,
    "Preferences.notifying:quiet_until": MAYBE_TEXT,
  },
};
