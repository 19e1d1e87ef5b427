// Describes the addition to the API that says how much waits for a decision of the staff.

import { entity } from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";

export const staffWaiting: Extension = {
  name: "staff_waiting",
  entities: entity("StaffWaiting", { count: { type: "integer" } }),
};
