// Storing an actor of another server as it was just fetched.

import { isUniqueViolation } from "../../platform/db/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { Conflict } from "../../platform/errors.ts";
import {
  changeUri,
  insertRemote,
  markSuspension,
  releaseHandle,
  replaceAssertionKeys,
  selectRival,
  updateRemote,
} from "./queries-lifecycle.ts";
import type { RemoteAccount } from "./tables.ts";

/**
 * WebFinger has proven that the handle belongs to the new uri. If only the handle is known, the actor has
 * a new uri on its server and stays the same account; if both are known, the other actor has lost the
 * handle.
 */
const settleHandle = async (db: Db, account: RemoteAccount): Promise<void> => {
  const rival = await selectRival(db, account);
  if (!rival) return;
  if (rival.uri_known) await releaseHandle(db, rival.id);
  else await changeUri(db, rival.id, account.uri);
};

/** Another transaction may insert the same actor, or one with the same handle, at the same time. */
const insert = async (db: Db, account: RemoteAccount): Promise<string> => {
  try {
    const id = (await insertRemote(db, account)) ?? (await updateRemote(db, account));
    if (id !== null) return id;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
  throw new Conflict();
};

/** Inserts or updates by uri; returns the id. Conflict (try again) when a race was lost twice. */
export const upsertRemoteAccount = async (db: Db, account: RemoteAccount): Promise<string> => {
  await settleHandle(db, account);
  const id = (await updateRemote(db, account)) ?? (await insert(db, account));
  if (account.assertion_keys) await replaceAssertionKeys(db, id, account.assertion_keys);
  if (account.suspended !== undefined) {
    await markSuspension(db, id, account.suspended, account.fetched_at);
  }
  return id;
};
