// An outgoing activity ready to be sent, with the key of its sender. Kept a minute in memory, since
// the same one goes to many inboxes.

import type { KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { App } from "../../platform/app.ts";
import { instanceActor } from "../instance-actor.ts";
import { once } from "../once.ts";
import { digestOf } from "../signatures/digest.ts";
import { privateKeyOf } from "../signatures/keys.ts";
import { selectOutgoing } from "./queries.ts";
import type { OutgoingRow } from "./queries.ts";

export type Letter = {
  body: Buffer;
  /** The Digest header of the body. */
  digest: string;
  createdAt: Date;
  keyId: string;
  privateKey: KeyObject;
};

const MAX_BYTES = 32 * 1024 * 1024;
const KEPT_MS = 60_000;
const letters = new WeakMap<App, LRUCache<string, Letter>>();

const lettersOf = (app: App): LRUCache<string, Letter> => {
  let kept = letters.get(app);
  if (!kept) {
    const sizeCalculation = (letter: Letter) => letter.body.length + 1000;
    letters.set(app, (kept = new LRUCache({ maxSize: MAX_BYTES, ttl: KEPT_MS, sizeCalculation })));
  }
  return kept;
};

const senderKey = async (app: App, row: OutgoingRow) => {
  if (row.account_id === null) {
    const { keyId, privateKey } = await instanceActor(app);
    return { keyId, privateKey };
  }
  if (!row.private_key) throw new Error(`account ${row.account_id} has no key to sign with`);
  return { keyId: row.key_id ?? `${row.uri}#main-key`, privateKey: privateKeyOf(row.private_key) };
};

const readLetter = async (app: App, id: string): Promise<Letter | null> => {
  const row = await selectOutgoing(app.sql, id);
  if (!row) return null;
  const key = await senderKey(app, row);
  const body = Buffer.from(row.body);
  const letter = { body, digest: digestOf(body), createdAt: row.created_at, ...key };
  lettersOf(app).set(id, letter);
  return letter;
};

/** Null once the activity is pruned or its sender removed. Throws when the sender has no key. */
export const loadOutgoing = async (app: App, id: string): Promise<Letter | null> =>
  lettersOf(app).get(id) ?? once(app, `letter:${id}`, () => readLetter(app, id));
