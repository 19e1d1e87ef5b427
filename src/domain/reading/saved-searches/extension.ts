// Describes the addition to the API for searches that a person saves.

import { ID, TEXT, TIME, entity, toPeople } from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";

export const savedSearches: Extension = {
  name: "saved_searches",
  routes: {
    "GET /api/v1/saved_searches": toPeople("search", ["SavedSearch"]),
    "POST /api/v1/saved_searches": toPeople("search", "SavedSearch", "422"),
    "DELETE /api/v1/saved_searches/{id}": toPeople("search", "Empty", "404"),
  },
  entities: entity("SavedSearch", { id: ID, q: TEXT, created_at: TIME }),
};
