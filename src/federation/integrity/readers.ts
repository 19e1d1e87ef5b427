// Which servers read object integrity proofs. The others are sent none: those of Mastodon's kind pass nothing on that
// has a member which they do not know.

import type { App } from "../../platform/app.ts";
import { boundedCache } from "../../platform/caches/bounded.ts";

const REMEMBERED_SECONDS = 7 * 86_400;
const keyOf = (host: string): string => `reads-proofs:${host}`;
/** What this process asked for in the last minutes. */
const readersKnown = boundedCache<boolean>("readers of proofs", () => 16);

/** It sends proofs, or checks keys of Ed25519. */
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
