// Storing an actor of another server as it was just fetched.

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
import type { RemoteAccount } from "./tables.ts";

/** The name of an account whose handle is another's, until a handle of its own is confirmed. */
export const formerName = (id: string): string => `former-${id}`;

type HandleClaim = Pick<RemoteAccount, "uri" | "username" | "domain">;

/**
 * The name that the actor is stored with, which WebFinger has confirmed, and who had it until now: that is another
 * actor, and keeps its row, key and follows. `isShared`: the name is one that this server gave it, so others keep it.
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
 * When its server made the actor anew under an address that was known: it has another key, and says that it is younger.
 * A key alone changes by rotation. Null: it is who it was, or is not known yet.
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

/** As upsertRemoteAccount; `isAnew`: nobody whom its server had under this address is there any more. */
export const storeRemoteAccount = async (
  db: Db,
  account: RemoteAccount,
): Promise<{ id: string; isAnew: boolean }> => {
  const madeAt = await madeAnewAt(db, account);
  const id = await upsertRemoteAccount(db, account);
  if (madeAt) await updateCreated(db, id, madeAt);
  return { id, isAnew: madeAt !== null };
};

/** Inserts or updates by uri; returns the id. Conflict (try again) when a race was lost twice. */
export const upsertRemoteAccount = async (db: Db, account: RemoteAccount): Promise<string> => {
  const id = (await updateRemote(db, account)) ?? (await insert(db, account));
  if (account.assertion_keys) await replaceAssertionKeys(db, id, account.assertion_keys);
  if (account.suspended !== undefined) {
    await markSuspension(db, id, account.suspended, account.fetched_at);
  }
  return id;
};
