// Converts a parsed remote note to a stored status, in the same way for notes that were sent and for fetched ones.

import type { App } from "../platform/app.ts";
import { STATUS_LIMITS } from "../platform/remote-limits.ts";
import { bytesOf } from "../platform/text/cut.ts";
import { createStatuses } from "../domain/posts/statuses/create.ts";
import { ROW_ONLY } from "../domain/posts/statuses/new-status.ts";
import { withCircle } from "../domain/posts/statuses/circle.ts";
import type { NewQuote } from "../domain/posts/statuses/new-status.ts";
import type { NewStatus, StatusChange } from "../domain/posts/statuses/new-status.ts";
import { editStatus } from "../domain/posts/statuses/write-edit.ts";
import type { ParsedNote, ParsedQuote } from "../domain/posts/statuses/parse-note.ts";
import { isCircle, narrower, openTo } from "../domain/posts/statuses/visibility.ts";
import type { Visibility } from "../domain/posts/statuses/visibility.ts";
import { isLocalUri } from "./hosts.ts";
import { allLookups, lookUp } from "./inbox/facts.ts";
import type { KnownActor, StatusFacts } from "./inbox/queries-facts.ts";
import type { Facts, Lookups } from "./inbox/facts.ts";
import type { Dependency } from "./inbox/decision.ts";

type Author = { id: string; uri: string };

const addressedBy = (note: ParsedNote): string[] => [...note.mentionUris, ...note.silentUris];

/** Returns what has to be looked up to store the note of that author. */
export const lookupsFor = (
  note: ParsedNote,
  authorId: string,
  isLocal: (uri: string) => boolean,
): Partial<Lookups> => {
  const { uri, inReplyToUri: parent } = note;
  return {
    accounts: addressedBy(note),
    statuses: parent === null ? [uri] : [uri, parent],
    earlyDeletes: [uri],
    interactions:
      parent !== null && isLocal(parent) ? [{ actorId: authorId, statusUri: parent }] : [],
  };
};

/**
 * Returns the stored status that a note replies to. One that guesses the address of a local post that its author may
 * not see replies to nothing; whom other servers let see their posts is not known here.
 */
export const parentOf = (
  { inReplyToUri }: ParsedNote,
  facts: Facts,
  authorId: string,
): StatusFacts | undefined => {
  const parent = facts.status(inReplyToUri);
  const isHidden = parent?.local && !openTo("elsewhere", parent) && !facts.maySee(authorId, parent);
  return isHidden ? undefined : parent;
};

/**
 * Returns the address of the note that it replies to, if that is remote and not stored; without it the note has no
 * parent.
 */
export const missingParent = (
  { inReplyToUri: uri }: ParsedNote,
  facts: Facts,
  isLocal: (uri: string) => boolean,
): Dependency | null =>
  uri === null || facts.status(uri) || facts.wasFetched(uri) || isLocal(uri)
    ? null
    : { uri, kind: "note", ifUnreachable: "without" };

/** Returns the bytes shown for a mention: the address, and the name twice, once with the domain. */
const sizeOfMention = ({ uri, username, domain }: KnownActor): number =>
  bytesOf(uri) + 2 * bytesOf(username) + (domain?.length ?? 0);

/**
 * Returns the stored accounts among those mentioned or addressed; a reply that is addressed to its parent's author
 * mentions them (NodeBB does not say so). Other servers may make names long: mentions beyond the limit are dropped,
 * except those of people here.
 */
const mentionsOf = (note: ParsedNote, facts: Facts): NewStatus["mentions"] => {
  const mentioned = new Set(note.mentionUris);
  const answered = facts.status(note.inReplyToUri)?.account_id;
  const ids = new Set<string>();
  let left = STATUS_LIMITS.mentionsBytes;
  return addressedBy(note).flatMap((uri) => {
    const account = facts.actor(uri);
    // An account may be named twice, by the addresses of the actor and of its page.
    if (!account || account.suspended || ids.has(account.id)) return [];
    ids.add(account.id);
    const silent = !mentioned.has(uri) && account.id !== answered;
    if (account.domain !== null && !silent && (left -= sizeOfMention(account)) < 0) return [];
    return [{ accountId: account.id, silent }];
  });
};

type Addressed = { visibility: Visibility; mentions: NewStatus["mentions"] };

/**
 * Restricts a reply to a post for a circle to the circle's people here, or to fewer, whatever its server says: it
 * would reveal a post that others do not see.
 */
const addressedOf = (
  note: ParsedNote,
  { author, facts }: NoteFacts,
  parent: StatusFacts | undefined,
): Addressed => {
  const mentions = mentionsOf(note, facts);
  if (!parent?.circle) return { visibility: note.visibility, mentions };
  const visibility = narrower(note.visibility, parent.visibility);
  if (!isCircle({ visibility })) return { visibility, mentions };
  const memberIds = [...parent.circle, parent.account_id].filter((id) => id !== author.id);
  return { visibility, mentions: withCircle(mentions, { listIds: null, memberIds }) };
};

/** Returns the thread; a reblog cannot have replies. */
const threadOf = (parent: StatusFacts | undefined) => {
  if (!parent || parent.reblog_of_id !== null) return {};
  return {
    in_reply_to_id: parent.id,
    in_reply_to_account_id: parent.account_id,
    conversation_id: parent.conversation_id,
  };
};

const SECOND_MS = 1000;

/**
 * Returns the time of a reply. Most servers write whole seconds, so a reply within the same second is placed after
 * what it replies to.
 */
const writtenAt = (
  { createdAt }: ParsedNote,
  { created_at: parent }: Partial<StatusFacts>,
  now: Date,
): Date => {
  const at = createdAt ?? now;
  const isWhole = at.getMilliseconds() === 0;
  const isSame = parent && parent >= at && parent.getTime() - at.getTime() < SECOND_MS;
  return isWhole && isSame ? new Date(parent.getTime() + 1) : at;
};

/** Returns a pending quote, which a job verifies. */
const newQuote = ({ uri, legacy, approvalUri }: ParsedQuote, depth: number): NewQuote => ({
  quotedUri: uri,
  quotedStatusId: null,
  quotedAccountId: null,
  accepted: false,
  legacy,
  approvalUri,
  depth,
});

/** Returns when a newly stored post was edited. */
const editedSince = ({ createdAt, updatedAt }: ParsedNote): Date | null =>
  createdAt && updatedAt && updatedAt > createdAt ? updatedAt : null;

type NoteFacts = {
  author: Author;
  facts: Facts;
  now: Date;
  /** Number of quotes that led to this status. */
  quoteDepth?: number;
};

/** Converts a parsed note and the facts about what it names to a status ready to be stored. */
export const newNote = (note: ParsedNote, about: NoteFacts): NewStatus => {
  const { author, facts, now, quoteDepth = 0 } = about;
  const parent = parentOf(note, facts, author.id);
  const { visibility, mentions } = addressedOf(note, about, parent);
  const isAlone = parent === undefined && facts.status(note.inReplyToUri) !== undefined;
  return {
    ...ROW_ONLY,
    row: {
      account_id: author.id,
      local: false,
      uri: note.uri,
      url: note.url,
      content: note.content,
      spoiler_text: note.spoilerText,
      visibility,
      sensitive: note.sensitive,
      language: note.language,
      ...threadOf(parent),
      emojis: note.emojis,
      quote_policy: note.quotePolicy,
      interaction_policy: note.interactionPolicy,
      awaits_approval: false,
      created_at: writtenAt(note, parent ?? {}, now),
      edited_at: editedSince(note),
      expires_at: note.expiresAt,
    },
    conversationUri: isAlone ? null : note.conversationUri,
    mentions,
    tags: note.tags,
    media: note.media,
    poll: note.poll,
    event: note.event,
    quote: note.quote && newQuote(note.quote, quoteDepth),
  };
};

export type StoreOptions = {
  /** Number of quotes that led to this status. */
  quoteDepth?: number;
  /** Stores it without notifying anybody. */
  quiet?: boolean;
};

/**
 * Stores a note that did not arrive in a Create. Returns the status's id, also of one that was stored before; null when
 * it is known to be deleted.
 */
export const storeNote = (
  app: App,
  author: Author,
  note: ParsedNote,
  { quoteDepth = 0, quiet = false }: StoreOptions = {},
): Promise<string | null> =>
  app.sql.begin(async (tx) => {
    const lookups = lookupsFor(note, author.id, (uri) => isLocalUri(app, uri));
    const facts = await lookUp(tx, [], allLookups([lookups]));
    if (facts.wasDeletedEarly(author.uri, note.uri)) return null;
    const input = newNote(note, { author, facts, now: app.clock.now(), quoteDepth });
    const status = { ...input, quiet };
    const [created] = await createStatuses(app, tx, [status]);
    return created?.id ?? null;
  });

/**
 * Updates a status from its changed note; `isUpdate`: its server sent that as a change. Returns whether something
 * changed; another author's status, or a reblog, is ignored.
 */
export const updateNote = async (
  app: App,
  author: { id: string },
  id: string,
  note: ParsedNote,
  { isUpdate = false } = {},
): Promise<boolean> => {
  const statuses = note.inReplyToUri === null ? [] : [note.inReplyToUri];
  const lookups = allLookups([{ accounts: addressedBy(note), statuses }]);
  const facts = await lookUp(app.sql, [], lookups);
  const { content, spoilerText, language, tags, emojis, media, poll, quote } = note;
  const { sensitive, isSaidSensitive } = note;
  const isImplied = sensitive && !isSaidSensitive;
  const { quotePolicy, interactionPolicy } = note;
  const quotesLocal = quote !== null && isLocalUri(app, quote.uri);
  const change: StatusChange = {
    text: "",
    contentType: null,
    content,
    spoilerText,
    // Mastodon reads it in the same way: a warning alone makes a new post sensitive, but not a changed one.
    sensitive: isImplied && !isUpdate ? undefined : isSaidSensitive,
    language,
    tags,
    emojis,
    media,
    poll,
    // An event stays one, whatever its server says later.
    event: note.event ?? undefined,
    mentions: mentionsOf(note, facts),
    remote: { quote, quotesLocal, quotePolicy, interactionPolicy },
    expiresAt: note.expiresAt,
    editedAt: note.updatedAt,
  };
  return (await editStatus(app, { id, authorId: author.id }, change)) === true;
};
