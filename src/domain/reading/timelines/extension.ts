// Describes the addition to the API that says why a post is in one's home.

import {
  MAYBE_TEXT,
  entity,
  entityRef,
  nullable,
  toPeople,
} from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";

export const homeReasons: Extension = {
  name: "home_reasons",
  routes: {
    "GET /api/v1/statuses/{id}/home_reasons": toPeople("timelines", ["HomeReason"], "404"),
  },
  entities: entity("HomeReason", {
    type: { type: "string", enum: ["own", "followed", "boosted", "hashtag"] },
    account: nullable(entityRef("Account")),
    hashtag: MAYBE_TEXT,
  }),
};
