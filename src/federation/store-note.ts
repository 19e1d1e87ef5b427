// A parsed remote note → a status of ours: the same whether it was sent to us or fetched.

import type { App } from "../platform/app.ts";
import { recountPoll } from "../domain/polls/recount.ts";
import { editStatus } from "../domain/statuses/edit.ts";
import { getStatus } from "../domain/statuses/load.ts";
import type { ParsedNote } from "../domain/statuses/parse-note.ts";
import type { NewQuote } from "../domain/statuses/quotes/add.ts";
import { retellPolicy, retellQuote } from "../domain/statuses/quotes/change.ts";
import type { ParsedQuote } from "../domain/statuses/quotes/parse.ts";
import type { StatusView } from "../domain/statuses/tables.ts";
import { isOurs } from "./hosts.ts";
import { createNote } from "./inbox/apply.ts";
import type { NewNote } from "./inbox/apply.ts";
import { allWanted, lookUp } from "./inbox/facts.ts";
import type { Facts, Wanted } from "./inbox/facts.ts";
import type { Want } from "./inbox/verdict.ts";

export type Author = { id: string; uri: string; username: string };

const addressedBy = (note: ParsedNote): string[] => [...note.mentionUris, ...note.silentUris];

/** What has to be known to store the note. */
export const wantedFor = (note: ParsedNote): Partial<Wanted> => ({
  people: addressedBy(note),
  statuses: note.inReplyToUri === null ? [note.uri] : [note.uri, note.inReplyToUri],
  takenBack: [note.uri],
});

/** What it answers, where that is elsewhere and unknown; without it the note stands alone. */
export const missingParent = (
  { inReplyToUri: uri }: ParsedNote,
  facts: Facts,
  isUriOurs: (uri: string) => boolean,
): Want | null =>
  uri === null || facts.status(uri) || facts.wasFetched(uri) || isUriOurs(uri)
    ? null
    : { uri, kind: "note", ifAway: "without" };

/** Those mentioned and those addressed, as far as they are known here. */
const mentionsOf = (note: ParsedNote, facts: Facts): NewNote["mentions"] => {
  const loud = new Set(note.mentionUris);
  return addressedBy(note).flatMap((uri) => {
    const person = facts.actor(uri);
    if (!person || person.suspended) return [];
    return [{ accountId: person.id, silent: !loud.has(uri) }];
  });
};

/** Nobody answers a reblog. */
const parentOf = (note: ParsedNote, facts: Facts): NewNote["inReplyTo"] => {
  const parent = facts.status(note.inReplyToUri);
  if (!parent || parent.reblog_of_id !== null) return null;
  return { id: parent.id, accountId: parent.account_id, conversationId: parent.conversation_id };
};

/** Said by its author and not believed: a job finds out. */
const newQuote = ({ uri, legacy, approvalUri }: ParsedQuote, depth: number): NewQuote => ({
  quotedUri: uri,
  quotedStatusId: null,
  quotedAccountId: null,
  accepted: false,
  legacy,
  approvalUri,
  depth,
});

/** `quoteDepth`: how many quotes led to it. */
export const newStatusOf = (
  author: Author,
  note: ParsedNote,
  facts: Facts,
  quoteDepth = 0,
): NewNote => ({
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
  inReplyTo: parentOf(note, facts),
  conversationUri: note.conversationUri,
  mentions: mentionsOf(note, facts),
  tags: note.tags,
  media: note.media,
  emojis: note.emojis,
  poll: note.poll,
  quote: note.quote && newQuote(note.quote, quoteDepth),
  quotePolicy: note.quotePolicy,
  createdAt: note.createdAt,
  appId: null,
  idempotencyKey: null,
});

/**
 * Stores a note that did not come in an activity of its own. The status's id, also of one that was
 * there already; null when it is known to be deleted.
 */
export const storeNote = (
  app: App,
  author: Author,
  note: ParsedNote,
  quoteDepth = 0,
): Promise<string | null> =>
  app.sql.begin(async (tx) => {
    const facts = await lookUp(tx, [], allWanted([wantedFor(note)]));
    if (facts.wasTakenBack(author.uri, note.uri)) return null;
    return createNote(app, tx, newStatusOf(author, note, facts, quoteDepth));
  });

const sameMedia = (before: StatusView, note: ParsedNote): boolean =>
  before.media.length === note.media.length &&
  before.media.every((old, index) => {
    const now = note.media[index]!;
    return (old.remote_url ?? old.url) === now.url && old.description === now.description;
  });

/**
 * Writes a changed note over its author's status. True when something changed; somebody else's, or
 * a reblog, is left alone.
 */
export const changeNote = async (
  app: App,
  author: { id: string },
  id: string,
  note: ParsedNote,
): Promise<boolean> => {
  const before = await getStatus(app, id);
  if (before.account_id !== author.id || before.reblog_of_id !== null) return false;
  if (note.poll) await recountPoll(app, id, note.poll);
  await retellQuote(app, before, note.quote, (uri) => isOurs(app, uri));
  await retellPolicy(app, before, note.quotePolicy);
  const facts = await lookUp(app.sql, [], allWanted([wantedFor(note)]));
  return editStatus(app, id, {
    text: "",
    content: note.content,
    spoilerText: note.spoilerText,
    sensitive: note.sensitive,
    language: note.language,
    mentions: mentionsOf(note, facts),
    tags: note.tags,
    emojis: note.emojis,
    media: sameMedia(before, note) ? null : note.media,
    poll: undefined,
    editedAt: note.updatedAt,
  });
};
