// A parsed remote note → a status of ours, through the same commands as a local one: its people
// found, what it answers found or fetched.

import type { App } from "../platform/app.ts";
import { recountPoll } from "../domain/polls/recount.ts";
import { BARE, createStatuses } from "../domain/statuses/create.ts";
import type { NewStatus } from "../domain/statuses/create.ts";
import { editStatus } from "../domain/statuses/edit.ts";
import { getStatus } from "../domain/statuses/load.ts";
import type { ParsedNote } from "../domain/statuses/parse-note.ts";
import type { NewQuote } from "../domain/statuses/quotes/add.ts";
import { retellPolicy, retellQuote } from "../domain/statuses/quotes/change.ts";
import type { ParsedQuote } from "../domain/statuses/quotes/parse.ts";
import type { StatusView } from "../domain/statuses/tables.ts";
import { isOurs } from "./hosts.ts";
import { selectActorIds, selectParent } from "./inbox/queries.ts";

/** Those mentioned and those addressed, as far as they are known here. */
const mentionsOf = async (app: App, note: ParsedNote): Promise<NewStatus["mentions"]> => {
  const uris = [...note.mentionUris, ...note.silentUris];
  if (uris.length === 0) return [];
  const loud = new Set(note.mentionUris);
  const known = await selectActorIds(app.sql, uris);
  return known.map(({ id, uri }) => ({ accountId: id, silent: !loud.has(uri) }));
};

export type StoreOptions = {
  /** Finds what is answered when it is not known here; null gives up. */
  fetchParent?: (uri: string) => Promise<string | null>;
  /** How many quotes led to it. */
  quoteDepth?: number;
};

const parentOf = async (app: App, uri: string | null, options: StoreOptions) => {
  if (!uri) return null;
  const known = await selectParent(app.sql, uri);
  if (known || !options.fetchParent) return known;
  const id = await options.fetchParent(uri);
  return id === null ? null : selectParent(app.sql, uri);
};

/** Told and not believed: a job finds out. */
const newQuote = ({ uri, legacy, approvalUri }: ParsedQuote, depth: number): NewQuote => ({
  quotedUri: uri,
  quotedStatusId: null,
  quotedAccountId: null,
  accepted: false,
  legacy,
  approvalUri,
  depth,
});

export type NoteFacts = {
  accountId: string;
  inReplyTo: { id: string; accountId: string; conversationId: string | null } | null;
  mentions: NewStatus["mentions"];
  quoteDepth: number;
  now: Date;
};

/** A note that was read, with what is known here of what it names → a status ready to be stored. */
export const newNote = (note: ParsedNote, facts: NoteFacts): NewStatus => ({
  ...BARE,
  row: {
    account_id: facts.accountId,
    local: false,
    uri: note.uri,
    url: note.url,
    content: note.content,
    spoiler_text: note.spoilerText,
    visibility: note.visibility,
    sensitive: note.sensitive,
    language: note.language,
    in_reply_to_id: facts.inReplyTo?.id ?? null,
    in_reply_to_account_id: facts.inReplyTo?.accountId ?? null,
    conversation_id: facts.inReplyTo?.conversationId ?? null,
    emojis: note.emojis,
    quote_policy: note.quotePolicy,
    created_at: note.createdAt ?? facts.now,
  },
  conversationUri: note.conversationUri,
  mentions: facts.mentions,
  tags: note.tags,
  media: note.media,
  poll: note.poll,
  quote: note.quote && newQuote(note.quote, facts.quoteDepth),
});

/** The status's id; null when it is known to be deleted. One that is there already is left as it is. */
export const storeNote = async (
  app: App,
  author: { id: string; username: string },
  note: ParsedNote,
  options: StoreOptions = {},
): Promise<string | null> => {
  const inReplyTo = await parentOf(app, note.inReplyToUri, options);
  const status = newNote(note, {
    accountId: author.id,
    inReplyTo,
    mentions: await mentionsOf(app, note),
    quoteDepth: options.quoteDepth ?? 0,
    now: app.clock.now(),
  });
  const [created] = await createStatuses(app, app.sql, [status]);
  return created?.id ?? null;
};

const sameMedia = (before: StatusView, note: ParsedNote): boolean =>
  before.media.length === note.media.length &&
  before.media.every((old, index) => {
    const now = note.media[index]!;
    return (old.remote_url ?? old.url) === now.url && old.description === now.description;
  });

/** Writes a changed note over its status. True when something changed. */
export const changeNote = async (app: App, id: string, note: ParsedNote): Promise<boolean> => {
  const before = await getStatus(app, id);
  if (note.poll) await recountPoll(app, id, note.poll);
  await retellQuote(app, before, note.quote, (uri) => isOurs(app, uri));
  await retellPolicy(app, before, note.quotePolicy);
  return editStatus(app, id, {
    text: "",
    content: note.content,
    spoilerText: note.spoilerText,
    sensitive: note.sensitive,
    language: note.language,
    mentions: await mentionsOf(app, note),
    tags: note.tags,
    emojis: note.emojis,
    media: sameMedia(before, note) ? null : note.media,
    poll: undefined,
    editedAt: note.updatedAt,
  });
};
