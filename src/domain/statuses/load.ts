// Ids + viewer → status views, in a fixed number of queries: for statuses, accounts, and the viewer's
// part, each for what is not cached.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { NotFound } from "../../platform/errors.ts";
import { accountCache, cachedAccounts } from "../accounts/cache.ts";
import { cachedFilters } from "../filters/cached-filters.ts";
import { loadChoices } from "../polls/load.ts";
import { cachedBlockedDomains } from "../relationships/blocked-domains.ts";
import { assemble, viewerPart } from "./assemble.ts";
import type { Parts } from "./assemble.ts";
import { cachedStatuses, statusCache } from "./cache.ts";
import { applyFilters } from "./filtered.ts";
import { cachedMarks, marksAtHand } from "./viewer-marks.ts";
import type { Marks } from "./viewer-marks.ts";
import { cachedMutedConversations } from "./mute-thread.ts";
import { MARKS } from "./queries-viewer.ts";
import { canSee } from "./rules.ts";
import type { KeptRow, StatusView } from "./tables.ts";

const authorsOf = (rows: Map<string, KeptRow>): string[] => {
  const ids = new Set<string>();
  for (const row of rows.values()) ids.add(row.account_id);
  return [...ids];
};

/** One query, and none on a page without polls. */
const choicesIn = async (db: Db, rows: Map<string, KeptRow>, viewerId: string) => {
  const pollIds: string[] = [];
  for (const { poll } of rows.values()) if (poll) pollIds.push(poll.id);
  return pollIds.length === 0 ? null : loadChoices(db, viewerId, pollIds);
};

const NO_THREADS: ReadonlySet<string> = new Set();
const NO_MARKS: Marks = () => 0;

/** With the authors whose whole domain the viewer blocks. */
const withDomains = (marks: Marks, domains: ReadonlySet<string>): Marks => {
  if (domains.size === 0) return marks;
  return (row, account) => {
    const bits = marks(row, account);
    const isBlocked = account.domain !== null && domains.has(account.domain);
    return bits !== undefined && isBlocked ? bits | MARKS.domainBlocking : bits;
  };
};

const assembleAll = (parts: Parts, ids: string[]): StatusView[] => {
  const views: StatusView[] = [];
  for (const id of ids) {
    const view = assemble(parts, id);
    if (view) views.push(view);
  }
  return views;
};

/** The viewer's part as it is cached; null: some of it has to be read. */
const viewerAtHand = (app: App, viewerId: string) => {
  const marks = marksAtHand(app, viewerId);
  const domains = cachedBlockedDomains.cached(app, viewerId);
  const mutedThreads = cachedMutedConversations.cached(app, viewerId);
  const filters = cachedFilters.cached(app, viewerId);
  if (!marks || !domains || !mutedThreads || !filters) return null;
  // A poll's choices are never cached.
  return { marks: withDomains(marks, domains), mutedThreads, filters, choices: undefined };
};

const NOBODY = { marks: NO_MARKS, mutedThreads: NO_THREADS, filters: null, choices: null };

/** Views made of what is cached, in one go and without a promise; null: something has to be read. */
const viewsAtHand = (app: App, ids: string[], viewerId: string | null): StatusView[] | null => {
  const rows = statusCache(app, app.sql);
  const accounts = accountCache(app, app.sql);
  const viewer = viewerId === null ? NOBODY : viewerAtHand(app, viewerId);
  if (!viewer) return null;
  const { marks, mutedThreads, choices, filters } = viewer;
  const now = () => app.clock.now();
  const parts = { rows, accounts, viewerId, marks, mutedThreads, choices, now, incomplete: false };
  const views = assembleAll(parts, ids);
  if (parts.incomplete) return null;
  if (filters) applyFilters(filters, views, now);
  return views;
};

const readStatuses = async (
  app: App,
  ids: string[],
  viewerId: string | null,
  db: Db,
): Promise<StatusView[]> => {
  const rows = await cachedStatuses(app, db, ids);
  const accounts = await cachedAccounts(app, db, authorsOf(rows));
  const now = () => app.clock.now();
  const all = { rows, accounts, viewerId, now, incomplete: false };
  if (viewerId === null) return assembleAll({ ...all, ...NOBODY }, ids);
  // Last: what is cached of the viewer must not be older than the rows (viewer-marks.ts).
  const asked = await cachedMarks(app, db, viewerId, rows, accounts);
  const marks = withDomains(asked, await cachedBlockedDomains(app, viewerId, db));
  const choices = await choicesIn(db, rows, viewerId);
  const mutedThreads = await cachedMutedConversations(app, viewerId, db);
  const views = assembleAll({ ...all, marks, choices, mutedThreads }, ids);
  applyFilters(await cachedFilters(app, viewerId, db), views, now);
  return views;
};

/** Views in the order of the ids; missing ones are left out. Nothing is judged here: see rules.ts. */
export const loadStatuses = async (
  app: App,
  ids: string[],
  viewerId: string | null,
  db: Db = app.sql,
): Promise<StatusView[]> => {
  if (ids.length === 0) return [];
  const cached = db === app.sql ? viewsAtHand(app, ids, viewerId) : null;
  return cached ?? readStatuses(app, ids, viewerId, db);
};

/** As loadStatuses, without those that the viewer may not see. */
export const loadVisible = async (
  app: App,
  ids: string[],
  viewerId: string | null,
  db: Db = app.sql,
): Promise<StatusView[]> => (await loadStatuses(app, ids, viewerId, db)).filter(canSee);

/** One status that the viewer may see; a hidden one is NotFound like a missing one. */
export const getVisible = async (
  app: App,
  id: string,
  viewerId: string | null,
  db: Db = app.sql,
): Promise<StatusView> => {
  const [view] = await loadVisible(app, [id], viewerId, db);
  if (!view) throw new NotFound();
  return view;
};

/** One status whoever looks (for work that no person asked for); NotFound when it is gone. */
export const getStatus = async (app: App, id: string, db: Db = app.sql): Promise<StatusView> => {
  const [view] = await loadStatuses(app, [id], null, db);
  if (!view) throw new NotFound();
  return view;
};

/** A status that its author has just made: nobody has done anything with it yet. */
export const getJustMade = async (app: App, id: string, authorId: string): Promise<StatusView> => {
  const view = await getStatus(app, id);
  if (view.quote) return getVisible(app, id, authorId);
  const viewer = viewerPart(authorId, 0);
  const poll = view.poll && { ...view.poll, ownVotes: [] };
  return { ...view, viewer, poll };
};
