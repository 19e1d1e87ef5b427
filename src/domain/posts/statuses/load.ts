// Loads status views for a viewer by ids, in a fixed number of queries: for statuses, accounts, and the viewer's part,
// each for what is not cached.

import { storedText } from "../../../platform/text/plain.ts";
import type { KnownViewer, Viewer } from "../../../platform/viewer.ts";
import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { NotFound } from "../../../platform/errors.ts";
import { asPerson, NOBODY } from "../../../platform/viewer.ts";
import { matchAll, NO_MATCHES } from "../filters/match.ts";
import type { FilterSet } from "../filters/match.ts";
import { foldWords } from "../filters/pattern.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import type { CardRow, CardView } from "../cards/tables.ts";
import type { CollectionView } from "../../people/collections/tables.ts";
import { loadAnswers } from "../events/load.ts";
import type { Answers } from "../events/load.ts";
import { loadChoices, pollView } from "../polls/load.ts";
import type { Choices } from "../polls/load.ts";
import { accountCache, loadAccounts } from "../../people/accounts/load.ts";
import { collectionsAt } from "../../people/collections/load.ts";
import type { Marks } from "./cache.ts";
import { cachedMarks, cachedStatuses, marksFromCache, statusCache, withDomains } from "./cache.ts";
import { cachedExclusions } from "./exclusions.ts";
import { collectionLinks } from "./links.ts";
import { MARKS } from "./queries-acts.ts";
import { assumeSeen, canSee } from "./rules.ts";
import type {
  AuthorRelation,
  CachedRow,
  QuoteRow,
  QuoteView,
  SeenStatus,
  StatusView,
  ViewerFlags,
  ViewerPart,
} from "./tables.ts";

/**
 * Returns all texts of a status: warning, text, options of a poll, name and place of an event, descriptions of media.
 */
export const wordsOf = (row: CachedRow): string =>
  (row.derived.words ??= foldWords(
    [
      row.spoiler_text,
      storedText(row.content),
      ...(row.poll?.options ?? []),
      row.event?.name ?? "",
      row.event?.place ?? "",
      ...row.media.map((attachment) => attachment.description ?? ""),
    ]
      .filter((text) => text !== "")
      .join("\n\n"),
  ));

/** Returns the searched text, for a reblog that of the original with both ids. */
const searched = (view: StatusView) => {
  const { row, id } = view.reblog ?? view;
  const ids = view.reblog ? [view.id, id] : [id];
  return { number: row.derived.number, ids, words: () => wordsOf(row) };
};

/** Returns what the statuses, or the originals of reblogs, quote; quotes are filtered with them. */
const quotedIn = (views: StatusView[]): StatusView[] =>
  views.flatMap((view) => (view.reblog ?? view).quote?.status ?? []);

/** Writes the matches into the views' viewer parts. A person's own posts are not filtered. */
export const applyFilters = (set: FilterSet, views: StatusView[], now: () => Date): void => {
  if (set.filters.length === 0) return;
  const others = [...views, ...quotedIn(views)].filter(
    (view) => view.viewer && (view.reblog ?? view).account_id !== view.viewer.id,
  );
  const matches = matchAll(set, others.map(searched), now());
  for (const [index, view] of others.entries()) {
    const filtered = matches[index]!;
    if (filtered === NO_MATCHES) continue;
    view.viewer!.filtered = filtered;
    if (view.reblog?.viewer) view.reblog.viewer.filtered = filtered;
  }
};

type Parts = {
  rows: { get(id: string): CachedRow | undefined };
  accounts: { get(id: string): AccountView | undefined };
  viewer: Viewer;
  marks: Marks;
  /** Conversations that the viewer muted. */
  mutedThreads: ReadonlySet<string>;
  /** The viewer's votes in the polls of these rows; null for none, undefined where not loaded. */
  choices: Choices | null | undefined;
  /** The viewer's answers to calendar events among these rows, with null and undefined as in `choices`. */
  answers: Answers | null | undefined;
  /** Returns the collections that a row links to; undefined where not loaded. */
  collections: ((row: CachedRow) => CollectionView[]) | undefined;
  now: () => Date;
  /** Whether something was missing from these parts. */
  incomplete: boolean;
};

const flagsOf = (bits: number): ViewerFlags => ({
  favourited: (bits & MARKS.favourited) !== 0,
  reblogged: (bits & MARKS.reblogged) !== 0,
  bookmarked: (bits & MARKS.bookmarked) !== 0,
  pinned: (bits & MARKS.pinned) !== 0,
});

const relationOf = (bits: number): AuthorRelation => ({
  following: (bits & MARKS.following) !== 0,
  blocking: (bits & MARKS.blocking) !== 0,
  blocked_by: (bits & MARKS.blockedBy) !== 0,
  muting: (bits & (MARKS.muting | MARKS.mutingForNow)) !== 0,
  domain_blocking: (bits & MARKS.domainBlocking) !== 0,
});

/** Number of bits of the flags; those of the relation are above them. */
const FLAG_BITS = 4;
/** Every combination by its bits, since views share these objects. */
const FLAGS = Array.from({ length: MARKS.following }, (_, bits) => flagsOf(bits));
const RELATIONS = Array.from({ length: (2 * MARKS.domainBlocking) / MARKS.following }, (_, bits) =>
  relationOf(bits << FLAG_BITS),
);

/** Makes the viewer's part of a view from the bits of MARKS. */
const viewerPart = ({ kind, id }: KnownViewer, bits: number, muted = false): ViewerPart => ({
  kind,
  id,
  flags: FLAGS[bits & (MARKS.following - 1)]!,
  relation: RELATIONS[bits >> FLAG_BITS]!,
  filtered: NO_MATCHES,
  muted,
});

/** Returns the view without a viewer, cached with its row: copying it is cheaper than making it. */
const plainView = (row: CachedRow, account: AccountView): StatusView => {
  const { plain } = row.derived;
  if (plain?.account === account) return plain;
  const { derived, ...rest } = row;
  derived.plain = {
    ...rest,
    row,
    account,
    reblog: null,
    viewer: null,
    poll: null,
    event: null,
    quote: null,
    card: null,
    collections: NO_COLLECTIONS,
  };
  return derived.plain;
};

/** Levels of quotes that are loaded: a quoted status, and the one that it quotes, which decides its state. */
const MAX_QUOTES = 2;

const quoteView = (parts: Parts, quote: QuoteRow, depth: number): QuoteView => {
  const id = quote.state === "accepted" && depth < MAX_QUOTES ? quote.quoted_status_id : null;
  return { ...quote, status: id === null ? null : assemble(parts, id, depth + 1) };
};

const cardView = (parts: Parts, card: CardRow): CardView => {
  if (card.creator_id === null) return { ...card, creator: null };
  const creator = parts.accounts.get(card.creator_id) ?? null;
  if (!creator) parts.incomplete = true;
  return { ...card, creator };
};

const missing = (parts: Parts): null => {
  parts.incomplete = true;
  return null;
};

const NO_COLLECTIONS: CollectionView[] = [];

const NOTHING_SHARED: ReadonlyMap<string, CollectionView> = new Map();

/** Returns the links of a row that may be to collections. */
const sharedIn = (row: CachedRow): string[] =>
  (row.derived.shared ??= collectionLinks(row.content));

/** Returns null where the status, or the one that it reblogs, is missing. */
export const assemble = (parts: Parts, id: string, depth = 0): StatusView | null => {
  const row = parts.rows.get(id);
  const account = row && parts.accounts.get(row.account_id);
  if (!row || !account) return missing(parts);
  const { viewer } = parts;
  const view = { ...plainView(row, account) };
  if (viewer.kind !== "nobody") {
    const bits = parts.marks(row, account);
    if (bits === undefined) return missing(parts);
    const muted = row.conversation_id !== null && parts.mutedThreads.has(row.conversation_id);
    view.viewer = viewerPart(viewer, bits, muted);
  }
  if (row.reblog_of_id !== null) {
    view.reblog = assemble(parts, row.reblog_of_id, depth);
    if (view.reblog === null) return null;
  }
  if (row.poll) {
    if (parts.choices === undefined) return missing(parts);
    view.poll = pollView(row.poll, parts.choices, viewer, parts.now());
  }
  if (row.event) {
    if (parts.answers === undefined) return missing(parts);
    view.event = { ...row.event, answer: parts.answers?.get(row.id) ?? null };
  }
  if (sharedIn(row).length > 0) {
    if (!parts.collections) return missing(parts);
    view.collections = parts.collections(row);
  }
  if (row.card) view.card = cardView(parts, row.card);
  if (row.quote) view.quote = quoteView(parts, row.quote, depth);
  return view;
};

/** Includes the authors of pages whose cards are shown. */
const authorsOf = (rows: Map<string, CachedRow>): string[] => {
  const ids = new Set<string>();
  for (const { account_id, card } of rows.values()) {
    ids.add(account_id);
    if (card?.creator_id) ids.add(card.creator_id);
  }
  return [...ids];
};

/** Takes one query, or none on a page without polls. */
const choicesIn = async (db: Db, rows: Map<string, CachedRow>, viewerId: string) => {
  const pollIds: string[] = [];
  for (const { poll } of rows.values()) if (poll) pollIds.push(poll.id);
  return pollIds.length === 0 ? null : loadChoices(db, viewerId, pollIds);
};

/** Takes one query, or none on a page without events. */
const answersIn = async (db: Db, rows: Map<string, CachedRow>, viewerId: string) => {
  const ids: string[] = [];
  for (const { id, event } of rows.values()) if (event) ids.push(id);
  return ids.length === 0 ? null : loadAnswers(db, viewerId, ids);
};

const assembleAll = (parts: Parts, ids: string[]): StatusView[] => {
  const views: StatusView[] = [];
  for (const id of ids) {
    const view = assemble(parts, id);
    if (view) views.push(view);
  }
  return views;
};

type Part = Pick<Parts, "marks" | "mutedThreads" | "choices" | "answers"> & {
  filters: FilterSet | null;
};

const NO_PART: Part = {
  marks: () => 0,
  mutedThreads: new Set(),
  filters: null,
  choices: null,
  answers: null,
};

/** Returns the viewer's part from the caches; null where some of it has to be read. */
const partFromCache = (app: App, viewer: Viewer): Part | null => {
  if (viewer.kind === "nobody") return NO_PART;
  const marks = marksFromCache(app, viewer.id);
  // Remote actors have no filters, votes or other settings here.
  if (viewer.kind === "actor") return marks && { ...NO_PART, marks };
  const exclusions = cachedExclusions.cached(app, viewer.id);
  if (!marks || !exclusions) return null;
  const { domains, threads, filters } = exclusions;
  // Choices in polls and answers to calendar events are never cached.
  return {
    marks: withDomains(marks, domains),
    mutedThreads: threads,
    filters,
    choices: undefined,
    answers: undefined,
  };
};

type Read = { rows: Map<string, CachedRow>; accounts: Map<string, AccountView> };

/** Returns the viewer's part, with queries for what is not cached. */
const readPart = async (app: App, db: Db, viewer: Viewer, read: Read): Promise<Part> => {
  if (viewer.kind === "nobody") return NO_PART;
  const marks = await cachedMarks(app, db, viewer.id, read.rows, read.accounts);
  if (viewer.kind === "actor") return { ...NO_PART, marks };
  const { domains, threads, filters } = await cachedExclusions(app, viewer.id, db);
  return {
    marks: withDomains(marks, domains),
    choices: await choicesIn(db, read.rows, viewer.id),
    answers: await answersIn(db, read.rows, viewer.id),
    mutedThreads: threads,
    filters,
  };
};

/** Returns views made from the caches alone, without a promise; null where something has to be read. */
const viewsFromCache = (app: App, ids: string[], viewer: Viewer): StatusView[] | null => {
  const rows = statusCache(app, app.sql);
  const accounts = accountCache(app, app.sql);
  const part = partFromCache(app, viewer);
  if (!part) return null;
  const { filters, ...rest } = part;
  const now = () => app.clock.now();
  const parts = { rows, accounts, viewer, ...rest, collections: undefined, now, incomplete: false };
  const views = assembleAll(parts, ids);
  if (parts.incomplete) return null;
  if (filters) applyFilters(filters, views, now);
  return views;
};

const readStatuses = async (
  app: App,
  ids: string[],
  viewer: Viewer,
  db: Db,
): Promise<StatusView[]> => {
  const rows = await cachedStatuses(app, db, ids);
  const accounts = await loadAccounts(app, authorsOf(rows), db);
  // The viewer's part is read last, because its cached values must not be older than the rows (cache.ts).
  const { filters, ...part } = await readPart(app, db, viewer, { rows, accounts });
  const now = () => app.clock.now();
  const links = [...rows.values()].flatMap(sharedIn);
  const shared = links.length > 0 ? await collectionsAt(app, links, db) : NOTHING_SHARED;
  const collections = (row: CachedRow): CollectionView[] => [
    ...new Set(sharedIn(row).flatMap((link) => shared.get(link) ?? [])),
  ];
  const parts = { rows, accounts, viewer, ...part, collections, now, incomplete: false };
  const views = assembleAll(parts, ids);
  if (filters) applyFilters(filters, views, now);
  return views;
};

/**
 * Returns views in the order of the ids; missing ones are left out. It does not check who may see them: see rules.ts.
 */
export const loadStatuses = async (
  app: App,
  ids: string[],
  viewer: Viewer,
  db: Db = app.sql,
): Promise<StatusView[]> => {
  if (ids.length === 0) return [];
  const cached = db === app.sql ? viewsFromCache(app, ids, viewer) : null;
  return cached ?? readStatuses(app, ids, viewer, db);
};

/** Works as loadStatuses for moderators, who review posts of any audience. */
export const loadForModerators = async (
  app: App,
  ids: string[],
  moderatorId: string,
): Promise<SeenStatus[]> => (await loadStatuses(app, ids, asPerson(moderatorId))).map(assumeSeen);

/** Works as loadStatuses, without those that the viewer may not see. */
export const loadVisible = async (app: App, ids: string[], viewer: Viewer): Promise<SeenStatus[]> =>
  (await loadStatuses(app, ids, viewer)).filter(canSee);

/** Returns one status that the viewer may see; throws NotFound for a hidden or missing one. */
export const getVisible = async (app: App, id: string, viewer: Viewer): Promise<SeenStatus> => {
  const [view] = await loadVisible(app, [id], viewer);
  if (!view) throw new NotFound();
  return view;
};

/** Returns one's own status; throws NotFound for another's. */
export const getOwn = async (app: App, id: string, viewer: KnownViewer): Promise<SeenStatus> => {
  const view = await getVisible(app, id, viewer);
  if (view.account_id !== viewer.id) throw new NotFound();
  return view;
};

/**
 * Returns all of them, without a viewer's part, for jobs and commands, which decide who gets a status but do not show
 * it.
 */
export const loadAsServer = (app: App, ids: string[], db: Db = app.sql): Promise<StatusView[]> =>
  loadStatuses(app, ids, NOBODY, db);

/** Works as loadAsServer for one status; throws NotFound when it was deleted. */
export const getAsServer = async (app: App, id: string, db: Db = app.sql): Promise<StatusView> => {
  const [view] = await loadAsServer(app, [id], db);
  if (!view) throw new NotFound();
  return view;
};

/** Loads a status that its local author has just created. Nobody has marked it yet, so that no marks are read. */
export const getJustCreated = async (
  app: App,
  id: string,
  authorId: string,
): Promise<SeenStatus> => {
  const view = await getAsServer(app, id);
  const author = asPerson(authorId);
  if (view.quote) return getVisible(app, id, author);
  const poll = view.poll && { ...view.poll, ownVotes: [] };
  const own: StatusView = { ...view, viewer: viewerPart(author, 0), poll };
  if (!canSee(own)) throw new NotFound();
  return own;
};
