// Describes the addition to the API that says why a post is in one's home.

import { MAYBE_TEXT, entity, entityRef, nullable } from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";

export const homeReasons: Extension = {
  name: "home_reasons",
  entities: entity("HomeReason", {
    type: { type: "string", enum: ["own", "followed", "boosted", "hashtag"] },
    account: nullable(entityRef("Account")),
    hashtag: MAYBE_TEXT,
  }),
};
