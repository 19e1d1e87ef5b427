// Remembers which servers read object integrity proofs. Others are sent none: servers such as Mastodon do not forward
// an activity with a member that they do not know.

import type { App } from "../../platform/app.ts";
import { boundedCache } from "../../platform/caches/bounded.ts";

const REMEMBERED_SECONDS = 7 * 86_400;
const keyOf = (host: string): string => `reads-proofs:${host}`;
/** Hosts that this process asked about in the last minutes. */
const readersKnown = boundedCache<boolean>("readers of proofs", () => 16);

/** Remembers that a host sends proofs, or checks Ed25519 keys. */
export const knowsProofs = async (app: App, host: string): Promise<void> => {
  if (readersKnown(app).get(host) === true) return;
  await app.kv.set(keyOf(host), "1", REMEMBERED_SECONDS);
  readersKnown(app).set(host, true);
};

export const readsProofs = async (app: App, host: string): Promise<boolean> => {
  const known = readersKnown(app).get(host);
  if (known !== undefined) return known;
  const isReader = (await app.kv.get(keyOf(host))) !== null;
  readersKnown(app).set(host, isReader);
  return isReader;
};
