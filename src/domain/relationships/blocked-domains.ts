// The domains that a person keeps out of sight, as they were last read, until they change.

import { keptReader } from "../../platform/db/kept-reader.ts";
import { selectBlockedDomains } from "./queries-domains.ts";

/** Most people have none: then it is one shared, empty set. */
const MAX_PEOPLE = 20_000;
const NONE: ReadonlySet<string> = new Set();

export const keptBlockedDomains = keptReader<ReadonlySet<string>>(
  "domains",
  MAX_PEOPLE,
  async (db, accountId) => {
    const domains = await selectBlockedDomains(db, accountId);
    return domains.length === 0 ? NONE : new Set(domains);
  },
);
