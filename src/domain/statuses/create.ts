// Making a status that came from elsewhere, alone: one transaction with the rows, the counters and the
// job that everything else follows from. And what posts of people here (post-together.ts) share with it.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { normaliseTag } from "../../platform/text/tags.ts";
import type { EmojiRow } from "../accounts/tables.ts";
import { attachRemoteMedia } from "../media/attach.ts";
import type { NewRemoteMedia } from "../media/tables.ts";
import { addPoll } from "../polls/add.ts";
import type { NewPoll } from "../polls/tables.ts";
import { tagStatuses } from "../tags/use.ts";
import "./events.ts";
import { storeLinks } from "./links.ts";
import { addQuote } from "./quotes/add.ts";
import type { NewQuote } from "./quotes/add.ts";
import { insertMentions, insertStatus, selectTombstone } from "./queries-write.ts";
import type { StatusInsert } from "./queries-write.ts";
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
  poll: NewPoll | null;
  quote: NewQuote | null;
  /** Who may quote it, as bits: quotes/policy.ts. */
  quotePolicy: number;
  /** Remote: the published time, in the past; null: now. */
  createdAt: Date | null;
  appId: string | null;
  idempotencyKey: string | null;
};

const IDEMPOTENCY_MS = 3600_000; // contract: limits.json, idempotency_key_seconds

/** Idempotency keys from before do not count any more. */
export const idempotentSince = (app: App): Date =>
  new Date(app.clock.now().getTime() - IDEMPOTENCY_MS);

/** Distinct tags by their folded name; the first way of writing wins. */
export const tagRows = (tags: string[]): { name: string; display: string }[] => {
  const byName = new Map<string, string>();
  for (const display of tags) {
    const name = normaliseTag(display);
    if (name !== "" && !byName.has(name)) byName.set(name, display);
  }
  return [...byName].map(([name, display]) => ({ name, display }));
};

/** The row of a status that is written at `createdAt`. */
export const rowOf = (app: App, input: NewStatus, createdAt: Date): StatusInsert => {
  const { origin } = app.config.site;
  return {
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
    quote_policy: input.quotePolicy,
    created_at: createdAt,
  };
};

/** Has it what insertRareParts writes? */
export const hasRareParts = ({ media, poll, quote }: NewStatus): boolean =>
  media.length > 0 || poll !== null || quote !== null;

/** What few statuses have; sent together, so that they take one round trip. */
export const insertRareParts = async (app: App, tx: Tx, statusId: string, input: NewStatus) => {
  await Promise.all([
    input.media.length > 0 ? attachRemoteMedia(tx, statusId, input.accountId, input.media) : null,
    input.poll ? addPoll(app, tx, statusId, input.poll) : null,
    input.quote ? addQuote(app, tx, { ...input, statusId, quote: input.quote }) : null,
  ]);
};

const insertParts = async (app: App, tx: Tx, statusId: string, input: NewStatus, at: Date) => {
  const { accountId, visibility, content } = input;
  await Promise.all([
    insertRareParts(app, tx, statusId, input),
    input.mentions.length > 0 ? insertMentions(tx, statusId, input.mentions) : null,
    tagStatuses(tx, [{ statusId, accountId, visibility, at, tags: tagRows(input.tags) }]),
    storeLinks(tx, [{ statusId, visibility, content }]),
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

const store = async (app: App, tx: Tx, input: NewStatus): Promise<string> => {
  const at = input.createdAt ?? app.clock.now();
  const id = await insertStatus(tx, rowOf(app, input, at));
  if (id === null) throw new AlreadyThere((await selectIdByUri(tx, input.uri!))!);
  // Pipelined on the transaction's connection: the commit follows when all are answered.
  await Promise.all([
    insertParts(app, tx, id, input, at),
    app.jobs.add(tx, "status.created", { id }),
  ]);
  return id;
};

/**
 * Stores the status and gives its id. The same uri gives the id of the first one and changes nothing.
 * Null when the status is known to be deleted.
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
  selectIdempotent(app.sql, accountId, key, idempotentSince(app));
