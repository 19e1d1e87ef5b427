// Presents suggestions as the JSON entity. https://docs.joinmastodon.org/entities/Suggestion/

import type { FullConfig } from "../../../platform/config/config.ts";
import { accountEntity } from "../accounts/present.ts";
import type { Source } from "./queries.ts";
import type { Suggestion } from "./suggest.ts";

/** Maps sources to the `source` for clients from before 4.3. */
const OLDER: Record<Source, string> = {
  featured: "staff",
  friends_of_friends: "past_interactions",
  most_followed: "global",
  fasp: "global",
};

export const suggestionEntity = (
  { account, sources, isRecent }: Suggestion,
  site: FullConfig["site"],
) => ({
  source: OLDER[sources[0]!],
  sources,
  // This is an extension of its own, because apps parse the sources strictly.
  ...(isRecent && { recently_joined: true }),
  account: accountEntity(account, site),
});
