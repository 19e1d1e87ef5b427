// Stored outgoing activities: read with the key of their sender, and deleted when old. Cached
// for a minute at most, since the same activity goes to many inboxes.

import type { KeyObject } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { boundedCache } from "../../platform/caches/bounded.ts";
import { singleFlight } from "../../platform/caches/single-flight.ts";
import { addDays } from "../../platform/ids/index.ts";
import type { DeleteSlice } from "../../platform/jobs/retention.ts";
import { instanceActor } from "../instance-actor.ts";
import { digestOf } from "../signatures/digest.ts";
import { privateKeyOf } from "../signatures/keys.ts";
import { deleteOutgoingBefore, selectOutgoing } from "./queries.ts";
import type { OutgoingRow } from "./queries.ts";

/** An activity ready to be sent. */
export type PreparedActivity = {
  body: Buffer;
  /** The Digest header of the body. */
  digest: string;
  createdAt: Date;
  keyId: string;
  privateKey: KeyObject;
};

/** A key, its id and the rest. */
const EXTRA_BYTES = 1000;

/** By id. A stored activity never changes. */
const outgoingCache = boundedCache<PreparedActivity>(
  "outgoing activities",
  ({ body }) => body.length + EXTRA_BYTES,
);
const once = singleFlight("outgoing activities being read");

const senderKey = async (app: App, row: OutgoingRow) => {
  if (row.account_id === null) {
    const { keyId, privateKey } = await instanceActor(app);
    return { keyId, privateKey };
  }
  if (!row.private_key) throw new Error(`account ${row.account_id} has no key to sign with`);
  return {
    keyId: row.key_id ?? `${row.uri}#main-key`,
    privateKey: privateKeyOf(app, row.private_key),
  };
};

const readOutgoing = async (app: App, id: string): Promise<PreparedActivity | null> => {
  const row = await selectOutgoing(app.sql, id);
  const isSenderGone = row !== null && row.account_id !== null && row.uri === null;
  if (!row || isSenderGone) return null;
  const key = await senderKey(app, row);
  const body = Buffer.from(row.body);
  const outgoing = { body, digest: digestOf(body), createdAt: row.created_at, ...key };
  outgoingCache(app).set(id, outgoing);
  return outgoing;
};

/** Null once the activity is deleted or its sender removed. Throws when the sender has no key. */
export const loadOutgoing = async (app: App, id: string): Promise<PreparedActivity | null> =>
  outgoingCache(app).get(id) ?? once(app, id, () => readOutgoing(app, id));

/** Longer than an activity is tried (LIFETIME_MS in deliver-once.ts). */
const STORED_DAYS = 8;

export const deleteOldOutgoing: DeleteSlice = (app, now) =>
  deleteOutgoingBefore(app.sql, addDays(now, -STORED_DAYS));
