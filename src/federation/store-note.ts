// A parsed remote note → a status of ours, through the same commands as a local one: its people
// found, what it answers found or fetched.

import type { App } from "../platform/app.ts";
import { recountPoll } from "../domain/polls/recount.ts";
import { createStatus } from "../domain/statuses/create.ts";
import type { NewStatus } from "../domain/statuses/create.ts";
import { editStatus } from "../domain/statuses/edit.ts";
import { getAsServer } from "../domain/statuses/load.ts";
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

/** The status's id; null when it is known to be deleted. One that is there already is left as it is. */
export const storeNote = async (
  app: App,
  author: { id: string; username: string },
  note: ParsedNote,
  options: StoreOptions = {},
): Promise<string | null> => {
  const inReplyTo = await parentOf(app, note.inReplyToUri, options);
  return createStatus(app, {
    accountId: author.id,
    username: author.username,
    local: false,
    uri: note.uri,
    url: note.url,
    text: "",
    content: note.content,
    spoilerText: note.spoilerText,
    visibility: note.visibility,
    sensitive: note.sensitive,
    language: note.language,
    inReplyTo,
    conversationUri: note.conversationUri,
    mentions: await mentionsOf(app, note),
    tags: note.tags,
    media: note.media,
    emojis: note.emojis,
    poll: note.poll,
    quote: note.quote && newQuote(note.quote, options.quoteDepth ?? 0),
    quotePolicy: note.quotePolicy,
    createdAt: note.createdAt,
    appId: null,
    idempotencyKey: null,
  });
};

const sameMedia = (before: StatusView, note: ParsedNote): boolean =>
  before.media.length === note.media.length &&
  before.media.every((old, index) => {
    const now = note.media[index]!;
    return (old.remote_url ?? old.url) === now.url && old.description === now.description;
  });

/** Writes a changed note over its status. True when something changed. */
export const changeNote = async (app: App, id: string, note: ParsedNote): Promise<boolean> => {
  const before = await getAsServer(app, id);
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
