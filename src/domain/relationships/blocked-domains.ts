// The domains that a person blocks, cached until they change.

import { keptReader } from "../../platform/db/kept-reader.ts";
import { selectBlockedDomains } from "./queries-domains.ts";

/** Most people block none: they share one empty set. */
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
