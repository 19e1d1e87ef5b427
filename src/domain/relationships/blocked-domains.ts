// The domains that a person blocks, cached until they change.

import { cachedReader } from "../../platform/caches/records.ts";
import { sizeOf } from "../../platform/caches/size.ts";
import { selectBlockedDomains } from "./queries.ts";

/** Most people have none: then it is one shared, empty set. */
const NONE: ReadonlySet<string> = new Set();

export const cachedBlockedDomains = cachedReader<ReadonlySet<string>>(
  { name: "blocked domains", kind: "domains", size: sizeOf },
  async (db, accountId) => {
    const domains = await selectBlockedDomains(db, accountId);
    return domains.length === 0 ? NONE : new Set(domains);
  },
);
