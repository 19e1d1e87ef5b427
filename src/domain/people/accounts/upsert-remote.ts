// Stores an actor of another server that was just fetched.

import { createHash } from "node:crypto";
import { isUniqueViolation } from "../../../platform/db/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { Conflict } from "../../../platform/errors.ts";
import {
  insertRemote,
  markSuspension,
  renameAccount,
  replaceAssertionKeys,
  selectIdentity,
  selectRival,
  updateCreated,
  updateRemote,
} from "./queries-lifecycle.ts";
import { formerName } from "./present.ts";
import type { RemoteAccount } from "./tables.ts";

type HandleClaim = Pick<RemoteAccount, "uri" | "username" | "domain">;

/**
 * Takes the handle, which WebFinger confirmed, from another actor that had it; that actor keeps its row, key and
 * follows. With `isShared` the name was given by this server, so that others keep it.
 */
export const takeHandle = async (
  db: Db,
  claim: HandleClaim,
  isShared = false,
): Promise<{ username: string; formerId: string | null }> => {
  const { uri, username } = claim;
  const formerId = await selectRival(db, claim);
  if (formerId === null) return { username, formerId };
  if (isShared) {
    const digest = createHash("sha256").update(uri).digest("hex");
    return { username: `${username}.${digest.slice(0, 12)}`, formerId: null };
  }
  await renameAccount(db, formerId, formerName(formerId));
  return { username, formerId };
};

/**
 * Returns when its server made the actor anew under a known address: it has another key and a later creation time (a
 * key alone also changes by rotation). Returns null where it is the same actor, or is not known yet.
 */
const madeAnewAt = async (db: Db, account: RemoteAccount): Promise<Date | null> => {
  const { uri, public_key: key, created_at: at } = account;
  const known = at && key !== "" ? await selectIdentity(db, uri) : null;
  if (!at || !known || known.public_key === "" || known.public_key === key) return null;
  return at > known.created_at ? at : null;
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

/** Works as upsertRemoteAccount; `isAnew` says that the actor that was at this address before no longer exists. */
export const storeRemoteAccount = async (
  db: Db,
  account: RemoteAccount,
): Promise<{ id: string; isAnew: boolean }> => {
  const madeAt = await madeAnewAt(db, account);
  const id = await upsertRemoteAccount(db, account);
  if (madeAt) await updateCreated(db, id, madeAt);
  return { id, isAnew: madeAt !== null };
};

/** Inserts or updates by uri; returns the id. Throws Conflict (to be retried) when it lost a race twice. */
export const upsertRemoteAccount = async (db: Db, account: RemoteAccount): Promise<string> => {
  const id = (await updateRemote(db, account)) ?? (await insert(db, account));
  if (account.assertion_keys) await replaceAssertionKeys(db, id, account.assertion_keys);
  if (account.suspended !== undefined) {
    await markSuspension(db, id, account.suspended, account.fetched_at);
  }
  return id;
};
