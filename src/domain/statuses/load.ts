// Ids + viewer → status views, in a fixed number of queries: for statuses, accounts, and the viewer's
// part, each for what is not cached.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { NotFound } from "../../platform/errors.ts";
import { asPerson, NOBODY } from "../../platform/viewer.ts";
import type { Viewer } from "../../platform/viewer.ts";
import { accountCache, cachedAccounts } from "../accounts/cache.ts";
import type { AccountView } from "../accounts/tables.ts";
import { collectionsAt } from "../collections/shared.ts";
import type { CollectionView } from "../collections/tables.ts";
import type { FilterSet } from "../filters/match.ts";
import { loadChoices } from "../polls/load.ts";
import { assemble, sharedIn, viewerPart } from "./assemble.ts";
import type { Parts } from "./assemble.ts";
import { cachedStatuses, statusCache } from "./cache.ts";
import { applyFilters } from "./filtered.ts";
import { cachedMarks, marksFromCache, withDomains } from "./viewer-marks.ts";
import type { Marks } from "./viewer-marks.ts";
import { canSee } from "./rules.ts";
import type { CachedRow, SeenStatus, StatusView } from "./tables.ts";
import { cachedUnwanted } from "./unwanted.ts";

/** Also of the pages that they show cards of. */
const authorsOf = (rows: Map<string, CachedRow>): string[] => {
  const ids = new Set<string>();
  for (const { account_id, card } of rows.values()) {
    ids.add(account_id);
    if (card?.creator_id) ids.add(card.creator_id);
  }
  return [...ids];
};

/** One query, and none on a page without polls. */
const choicesIn = async (db: Db, rows: Map<string, CachedRow>, viewerId: string) => {
  const pollIds: string[] = [];
  for (const { poll } of rows.values()) if (poll) pollIds.push(poll.id);
  return pollIds.length === 0 ? null : loadChoices(db, viewerId, pollIds);
};

const NO_THREADS: ReadonlySet<string> = new Set();
const NO_MARKS: Marks = () => 0;

const assembleAll = (parts: Parts, ids: string[]): StatusView[] => {
  const views: StatusView[] = [];
  for (const id of ids) {
    const view = assemble(parts, id);
    if (view) views.push(view);
  }
  return views;
};

type Part = Pick<Parts, "marks" | "mutedThreads" | "choices"> & { filters: FilterSet | null };

const NO_PART: Part = { marks: NO_MARKS, mutedThreads: NO_THREADS, filters: null, choices: null };

/** The viewer's part from the caches; null: some of it has to be read. */
const partFromCache = (app: App, viewer: Viewer): Part | null => {
  if (viewer.kind === "nobody") return NO_PART;
  const marks = marksFromCache(app, viewer.id);
  // Remote actors have no filters, votes or other settings here.
  if (viewer.kind === "actor") return marks && { ...NO_PART, marks };
  const unwanted = cachedUnwanted.cached(app, viewer.id);
  if (!marks || !unwanted) return null;
  const { domains, threads, filters } = unwanted;
  // A poll's choices are never cached.
  return {
    marks: withDomains(marks, domains),
    mutedThreads: threads,
    filters,
    choices: undefined,
  };
};

type Read = { rows: Map<string, CachedRow>; accounts: Map<string, AccountView> };

/** The viewer's part, with queries for what is not cached. */
const readPart = async (app: App, db: Db, viewer: Viewer, read: Read): Promise<Part> => {
  if (viewer.kind === "nobody") return NO_PART;
  const marks = await cachedMarks(app, db, viewer.id, read.rows, read.accounts);
  if (viewer.kind === "actor") return { ...NO_PART, marks };
  const { domains, threads, filters } = await cachedUnwanted(app, viewer.id, db);
  return {
    marks: withDomains(marks, domains),
    choices: await choicesIn(db, read.rows, viewer.id),
    mutedThreads: threads,
    filters,
  };
};

/** Views made from the caches alone, without a promise; null: something has to be read. */
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
  const accounts = await cachedAccounts(app, db, authorsOf(rows));
  // Last: what is cached of the viewer must not be older than the rows (viewer-marks.ts).
  const { filters, ...part } = await readPart(app, db, viewer, { rows, accounts });
  const now = () => app.clock.now();
  const shared = await collectionsAt(app, [...rows.values()].flatMap(sharedIn));
  const collections = (row: CachedRow): CollectionView[] => [
    ...new Set(sharedIn(row).flatMap((link) => shared.get(link) ?? [])),
  ];
  const parts = { rows, accounts, viewer, ...part, collections, now, incomplete: false };
  const views = assembleAll(parts, ids);
  if (filters) applyFilters(filters, views, now);
  return views;
};

/**
 * Views in the order of the ids; missing ones are left out. Who may see them is not checked here:
 * see rules.ts.
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

/** As loadStatuses, without those that the viewer may not see. */
export const loadVisible = async (
  app: App,
  ids: string[],
  viewer: Viewer,
  db: Db = app.sql,
): Promise<SeenStatus[]> => (await loadStatuses(app, ids, viewer, db)).filter(canSee);

/** One status that the viewer may see; a hidden one is NotFound like a missing one. */
export const getVisible = async (
  app: App,
  id: string,
  viewer: Viewer,
  db: Db = app.sql,
): Promise<SeenStatus> => {
  const [view] = await loadVisible(app, [id], viewer, db);
  if (!view) throw new NotFound();
  return view;
};

/**
 * All of them, without a viewer's part: for jobs and commands, which do not show what they load but
 * decide who gets it.
 */
export const loadAsServer = (app: App, ids: string[], db: Db = app.sql): Promise<StatusView[]> =>
  loadStatuses(app, ids, NOBODY, db);

/** As loadAsServer, one status; NotFound when it is gone. */
export const getAsServer = async (app: App, id: string, db: Db = app.sql): Promise<StatusView> => {
  const [view] = await loadAsServer(app, [id], db);
  if (!view) throw new NotFound();
  return view;
};

/**
 * A status that its local author has just created: nobody has marked it yet, so no marks are read.
 */
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
