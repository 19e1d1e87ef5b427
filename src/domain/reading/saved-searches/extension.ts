// Describes the addition to the API for searches that a person saves.

import { ID, TEXT, TIME, entity } from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";

export const savedSearches: Extension = {
  name: "saved_searches",
  entities: entity("SavedSearch", { id: ID, q: TEXT, created_at: TIME }),
};
