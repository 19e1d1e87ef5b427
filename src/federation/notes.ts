// Finds remote statuses by address: fetches the note, its author and its ancestors, and stores them by the same code as
// incoming notes. The number of ancestors and the time for them are limited.

import type { App } from "../platform/app.ts";
import { singleFlight } from "../platform/caches/single-flight.ts";
import type { Cause } from "../platform/fetch/budget.ts";
import { sameHost } from "../platform/json/read.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { authorUris, isNoteType, parseNote } from "../domain/posts/statuses/parse-note.ts";
import type { ParsedNote } from "../domain/posts/statuses/parse-note.ts";
import { setRemoteCounts } from "../domain/posts/statuses/upkeep.ts";
import { removeStatuses } from "../domain/posts/statuses/remove.ts";
import { actorByUri } from "./actors.ts";
import { mayAnswer } from "./authorizations.ts";
import { fetchDocument } from "./documents.ts";
import type { Fetched } from "./documents.ts";
import { nullOnAnyFault, nullUnlessTemporary, unacceptable } from "./faults.ts";
import { withBreaker } from "./with-breaker.ts";
import { isLocalUri } from "./hosts.ts";
import { storedAddresses } from "./inbox/pages.ts";
import { selectStatusId } from "./queries.ts";
import { updateNote, storeNote } from "./store-note.ts";

const once = singleFlight("notes being fetched");

type FetchedNote = { note: ParsedNote; author: AccountView; staleSeconds: number };

/** Ancestors that are fetched with a status, and milliseconds for that. */
const MAX_ANCESTORS = 20;
const ANCESTORS_MS = 15_000;

/** Returns the note and its author, who must be on the same host. Throws RemoteFault. */
const readNote = async (app: App, fetched: Fetched, cause: Cause): Promise<FetchedNote> => {
  const { id, document, staleSeconds } = fetched;
  const authorUri = authorUris(document).find((uri) => sameHost(uri, id));
  if (!isNoteType(document) || !authorUri) {
    throw unacceptable("The document is not a post of an actor on its server");
  }
  const author = await actorByUri(
    app,
    authorUri,
    cause === "note" || cause === "thread" ? "actor" : cause,
  );
  if (author.suspended_at !== null) throw unacceptable("The author is suspended");
  const context = {
    actorUri: author.uri,
    followersUrl: author.followers_url,
    domain: author.domain,
    now: app.clock.now(),
  };
  const note = parseNote(document, context);
  if (!note || note.uri !== id) throw unacceptable("The post cannot be used");
  return { note, author, staleSeconds };
};

const isWanted = async (app: App, uri: string, seen: Set<string>): Promise<boolean> =>
  !seen.has(uri) && !isLocalUri(app, uri) && (await selectStatusId(app.sql, uri)) === null;

/** Returns the ancestors that are not stored, nearest first. A failure ends the list. */
const unknownAncestors = async (app: App, first: ParsedNote, cause: Cause) => {
  const until = performance.now() + ANCESTORS_MS;
  const seen = new Set([first.uri]);
  const ancestors: FetchedNote[] = [];
  let uri = first.inReplyToUri;
  while (uri && ancestors.length < MAX_ANCESTORS && performance.now() < until) {
    if (!(await isWanted(app, uri, seen))) break;
    seen.add(uri);
    const next = await nullOnAnyFault(fetchNote(app, uri, cause));
    if (!next) break;
    seen.add(next.note.uri);
    ancestors.push(next);
    uri = next.note.inReplyToUri;
  }
  return ancestors;
};

const fetchNote = (app: App, uri: string, cause: Cause): Promise<FetchedNote> =>
  withBreaker(app, uri, async () => readNote(app, await fetchDocument(app, uri, { cause }), cause));

type StoreNoteOptions = {
  cause: Cause;
  quoteDepth: number;
  quiet?: boolean;
  /**
   * Address of the post above whose server lists this one in a collection, so that its author approved the reply.
   */
  listedBy?: string | null;
  /** Authorization of the reply from the author's server, where the note does not name it. */
  approvalUri?: string | null;
  /** Conversation (FEP-7888) that the note itself has to name; otherwise it is not stored. */
  context?: string | null;
};

/** Stores the note after its ancestors. */
const storeFetched = async (
  app: App,
  fetched: FetchedNote,
  {
    cause,
    quoteDepth,
    quiet = false,
    listedBy = null,
    context = null,
    approvalUri = null,
  }: StoreNoteOptions,
): Promise<string | null> => {
  if (context !== null && fetched.note.contextUri !== context) return null;
  // Quoted posts are fetched without their threads, which may quote others in turn without end.
  const ancestors = quoteDepth === 0 ? await unknownAncestors(app, fetched.note, cause) : [];
  const store = async ({ author, note }: FetchedNote, depth: number): Promise<string | null> => {
    const isListed = listedBy !== null && note.inReplyToUri === listedBy;
    const proof = note === fetched.note ? approvalUri : null;
    const claimed = { ...note, approvalUri: proof ?? note.approvalUri };
    if (!isListed && !(await mayAnswer(app, author, claimed))) return null;
    return storeNote(app, author, note, { quoteDepth: depth, quiet });
  };
  for (const ancestor of ancestors.toReversed()) await nullOnAnyFault(store(ancestor, 0));
  const id = await store(fetched, quoteDepth);
  if (id !== null) await setRemoteCounts(app, id, fetched.note.counts);
  return id;
};

/**
 * Stores a fetched note after its ancestors, and returns its id; null when it is known to be deleted, or the author of
 * the post that it replies to does not allow it. Throws RemoteFault.
 */
export const storeFetchedNote = async (app: App, fetched: Fetched, cause: Cause) =>
  storeFetched(app, await readNote(app, fetched, cause), { cause, quoteDepth: 0 });

/** Returns the local status whose page has this address. */
const ofLocalPage = async (app: App, address: string): Promise<string | null> => {
  const uri = (await storedAddresses(app.sql, [address])).get(address);
  return uri === undefined ? null : selectStatusId(app.sql, uri);
};

/**
 * Returns the status with this address, stored or fetched. Null when there is no usable one; throws RemoteFault (503)
 * when its server does not answer.
 */
export const statusByUri = async (
  app: App,
  uri: string,
  options: Partial<StoreNoteOptions> = {},
): Promise<string | null> => {
  const known = await selectStatusId(app.sql, uri);
  if (known) return known;
  if (isLocalUri(app, uri)) return ofLocalPage(app, uri);
  return once(app, uri, async () => {
    const all: StoreNoteOptions = { cause: "note", quoteDepth: 0, ...options };
    const fetched = await nullUnlessTemporary(fetchNote(app, uri, all.cause));
    return fetched && storeFetched(app, fetched, all);
  });
};

/** Removes a stored post that its server has no more. */
export const removeGoneNote = async (app: App, uri: string): Promise<void> => {
  const id = await selectStatusId(app.sql, uri);
  if (id === null || isLocalUri(app, uri)) return;
  await app.sql.begin((tx) => removeStatuses(app, tx, [id]));
};

/** Fetches a stored status again. Null when it is not stored; throws RemoteFault. */
export const refreshNote = async (
  app: App,
  uri: string,
  cause: Cause,
): Promise<Pick<Fetched, "staleSeconds"> | null> => {
  const id = await selectStatusId(app.sql, uri);
  if (id === null || isLocalUri(app, uri)) return null;
  const { note, author, staleSeconds } = await fetchNote(app, uri, cause);
  await updateNote(app, author, id, note);
  await setRemoteCounts(app, id, note.counts);
  return { staleSeconds };
};
