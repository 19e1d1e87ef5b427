// Making a status, local or remote: one transaction with the rows, the counters and the job that
// everything else follows from.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { normaliseTag } from "../../platform/text/tags.ts";
import type { EmojiRow } from "../accounts/tables.ts";
import { attachRemoteMedia } from "../media/attach.ts";
import type { NewRemoteMedia } from "../media/tables.ts";
import "./events.ts";
import {
  claimIdempotencyKey,
  insertMentions,
  insertStatus,
  insertTags,
  selectTombstone,
} from "./queries-write.ts";
import { selectIdByUri, selectIdempotent } from "./queries.ts";
import type { Visibility } from "./tables.ts";

/** A status ready to be stored: checked, its text made HTML, its people known. */
export type NewStatus = {
  accountId: string;
  local: boolean;
  /** Of the author, for local addresses. */
  username: string;
  /** Remote statuses bring their own; null makes the local ones. */
  uri: string | null;
  url: string | null;
  text: string;
  content: string;
  spoilerText: string;
  visibility: Visibility;
  sensitive: boolean;
  language: string | null;
  inReplyTo: { id: string; accountId: string; conversationId: string | null } | null;
  /** The conversation's own uri, where a remote status names it. */
  conversationUri: string | null;
  mentions: { accountId: string; silent: boolean }[];
  /** As written, without #. */
  tags: string[];
  media: NewRemoteMedia[];
  emojis: EmojiRow[];
  /** Remote: the published time, in the past; null: now. */
  createdAt: Date | null;
  appId: string | null;
  idempotencyKey: string | null;
};

const IDEMPOTENCY_MS = 3600_000; // contract: limits.json, idempotency_key_seconds

/** Distinct tags by their folded name; the first way of writing wins. */
export const tagRows = (tags: string[]): { name: string; display: string }[] => {
  const byName = new Map<string, string>();
  for (const display of tags) {
    const name = normaliseTag(display);
    if (name !== "" && !byName.has(name)) byName.set(name, display);
  }
  return [...byName].map(([name, display]) => ({ name, display }));
};

const insertRow = (app: App, tx: Tx, input: NewStatus, createdAt: Date) => {
  const { origin } = app.config.site;
  return insertStatus(tx, {
    account_id: input.accountId,
    uri: input.uri,
    url: input.url,
    local_addresses: input.local
      ? {
          prefix: `${origin}/users/${input.username}/statuses/`,
          suffix: "",
          page: `${origin}/@${input.username}/`,
        }
      : null,
    text: input.text,
    content: input.content,
    spoiler_text: input.spoilerText,
    visibility: input.visibility,
    sensitive: input.sensitive,
    language: input.language,
    in_reply_to_id: input.inReplyTo?.id ?? null,
    in_reply_to_account_id: input.inReplyTo?.accountId ?? null,
    reblog_of_id: null,
    conversation_id: input.inReplyTo?.conversationId ?? null,
    conversation_uri: input.conversationUri,
    app_id: input.appId,
    has_media: input.media.length > 0,
    emojis: input.emojis,
    created_at: createdAt,
  });
};

/** What few statuses have; sent together, so that they take one round trip. */
const insertParts = async (tx: Tx, id: string, input: NewStatus) => {
  await Promise.all([
    input.mentions.length > 0 ? insertMentions(tx, id, input.mentions) : null,
    input.tags.length > 0 ? insertTags(tx, id, tagRows(input.tags)) : null,
    input.media.length > 0 ? attachRemoteMedia(tx, id, input.accountId, input.media) : null,
  ]);
};

/** Rolls the transaction back and carries the id that is already there. */
class AlreadyThere extends Error {
  id: string;
  constructor(id: string) {
    super("this status exists already");
    this.id = id;
  }
}

const claimKey = async (app: App, tx: Tx, id: string, input: NewStatus): Promise<void> => {
  if (input.idempotencyKey === null) return;
  const since = new Date(app.clock.now().getTime() - IDEMPOTENCY_MS);
  const claim = { accountId: input.accountId, key: input.idempotencyKey, statusId: id, since };
  if (await claimIdempotencyKey(tx, claim)) return;
  const other = await selectIdempotent(tx, input.accountId, input.idempotencyKey, since);
  if (other) throw new AlreadyThere(other);
};

const store = async (app: App, tx: Tx, input: NewStatus): Promise<string> => {
  const id = await insertRow(app, tx, input, input.createdAt ?? app.clock.now());
  if (id === null) throw new AlreadyThere((await selectIdByUri(tx, input.uri!))!);
  await claimKey(app, tx, id, input);
  // Pipelined on the transaction's connection: the commit follows when all are answered.
  await Promise.all([insertParts(tx, id, input), app.jobs.add(tx, "status.created", { id })]);
  return id;
};

/**
 * Stores the status and gives its id. The same uri, or the same idempotency key of the same person
 * within an hour, gives the id of the first one and changes nothing. Null when the status is known
 * to be deleted.
 */
export const createStatus = async (app: App, input: NewStatus): Promise<string | null> => {
  if (input.uri !== null && (await selectTombstone(app.sql, input.uri))) return null;
  try {
    return await app.sql.begin((tx) => store(app, tx, input));
  } catch (error) {
    if (error instanceof AlreadyThere) return error.id;
    throw error;
  }
};

/** The status that an earlier request with this key made, or null. */
export const findIdempotent = (app: App, accountId: string, key: string): Promise<string | null> =>
  selectIdempotent(app.sql, accountId, key, new Date(app.clock.now().getTime() - IDEMPOTENCY_MS));
