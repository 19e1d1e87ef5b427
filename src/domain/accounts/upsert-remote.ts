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
import type { AccountField } from "./tables.ts";
import type { EmojiRow } from "../emojis/tables.ts";

export type AssertionKey = { id: string; key: string };

/** A remote actor, checked and sanitised; a missing member keeps its value or gets the default. */
export type RemoteAccount = {
  username: string;
  /** As in its handle; never a domain of this server. */
  domain: string;
  uri: string;
  url: string;
  inbox_url: string;
  public_key: string;
  key_id: string | null;
  /** Of Ed25519, as Multikey. */
  assertion_keys?: AssertionKey[];
  fetched_at: Date;
  actor_type?: string;
  display_name?: string;
  note_html?: string;
  fields?: AccountField[];
  emojis?: EmojiRow[];
  avatar_url?: string | null;
  header_url?: string | null;
  avatar_description?: string;
  header_description?: string;
  locked?: boolean;
  discoverable?: boolean | null;
  indexable?: boolean;
  hide_collections?: boolean | null;
  memorial?: boolean;
  also_known_as?: string[];
  moved_to_account_id?: string | null;
  attribution_domains?: string[];
  shared_inbox_url?: string | null;
  outbox_url?: string | null;
  followers_url?: string | null;
  following_url?: string | null;
  featured_url?: string | null;
  featured_tags_url?: string | null;
  /** Used when it is new. */
  created_at?: Date;
  /** What the actor's own server says; a suspension by this server stands whatever that is. */
  suspended?: boolean;
};

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
