// Handles interactions that need the authorization of another author: it is fetched, and without it nothing is done.

import { sameHost } from "../../platform/json/read.ts";
import type { Claim } from "../authorizations.ts";
import { NOTHING, fetchFirst } from "./decision.ts";
import type { Decision } from "./decision.ts";
import type { Facts } from "./facts.ts";

/** Returns the decision to fetch or refuse; null once the authorization was fetched and allows this. */
export const unverified = (
  facts: Facts,
  { uri, ...allows }: Omit<Claim, "target"> & { targetUri: string },
): Decision | null => {
  if (uri === null || !sameHost(uri, allows.targetUri)) return NOTHING;
  if (!facts.wasFetched(uri)) {
    return fetchFirst({ uri, kind: "authorization", allows, ifUnreachable: "later" });
  }
  return facts.isVerified(uri) ? null : NOTHING;
};
