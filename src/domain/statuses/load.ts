// Ids + viewer → status views, in a fixed number of queries: for statuses, accounts, and the viewer's
// part, each for what is not kept.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { NotFound } from "../../platform/errors.ts";
import { keptAccounts } from "../accounts/cache.ts";
import type { AccountView } from "../accounts/tables.ts";
import { keptFilters } from "../filters/kept-filters.ts";
import { NO_MATCHES } from "../filters/match.ts";
import { loadChoices, pollView } from "../polls/load.ts";
import type { Choices } from "../polls/load.ts";
import { keptBlockedDomains } from "../relationships/blocked-domains.ts";
import { keptStatuses } from "./cache.ts";
import { applyFilters } from "./filtered.ts";
import { keptMarks } from "./kept-marks.ts";
import type { Marks } from "./kept-marks.ts";
import { keptMutedConversations } from "./mute-thread.ts";
import { MARKS } from "./queries-viewer.ts";
import { canSee } from "./rules.ts";
import type {
  KeptRow,
  QuoteRow,
  QuoteView,
  Standpoint,
  StatusView,
  ViewerFlags,
  ViewerPart,
} from "./tables.ts";

type Parts = {
  rows: Map<string, KeptRow>;
  accounts: Map<string, AccountView>;
  viewerId: string | null;
  marks: Marks;
  /** Conversations that the viewer muted. */
  mutedThreads: ReadonlySet<string>;
  /** The viewer's, in the polls of these rows; null: there are none. */
  choices: Choices | null;
  now: Date;
};

const flagsOf = (bits: number): ViewerFlags => ({
  favourited: (bits & MARKS.favourited) !== 0,
  reblogged: (bits & MARKS.reblogged) !== 0,
  bookmarked: (bits & MARKS.bookmarked) !== 0,
  pinned: (bits & MARKS.pinned) !== 0,
});

const standpointOf = (bits: number): Standpoint => ({
  following: (bits & MARKS.following) !== 0,
  blocking: (bits & MARKS.blocking) !== 0,
  blocked_by: (bits & MARKS.blockedBy) !== 0,
  muting: (bits & (MARKS.muting | MARKS.mutingForNow)) !== 0,
  domain_blocking: (bits & MARKS.domainBlocking) !== 0,
});

/** Every way they can be, by the bits: views share them. */
const FLAGS = Array.from({ length: MARKS.following }, (_, bits) => flagsOf(bits));
const STANDPOINTS = Array.from(
  { length: (2 * MARKS.domainBlocking) / MARKS.following },
  (_, bits) => standpointOf(bits * MARKS.following),
);

const viewerPart = (
  id: string,
  row: KeptRow,
  account: AccountView,
  marks: Marks,
  muted = false,
): ViewerPart => ({
  id,
  flags: FLAGS[marks.row(row)]!,
  relation: STANDPOINTS[marks.account(account) / MARKS.following]!,
  filtered: NO_MATCHES,
  muted,
});

/** The view without a viewer, kept with its row: a copy of it is cheaper than making it. */
const plainView = (row: KeptRow, account: AccountView): StatusView => {
  const { plain } = row.made;
  if (plain?.account === account) return plain;
  const { made, ...rest } = row;
  made.plain = { ...rest, row, account, reblog: null, viewer: null, poll: null, quote: null };
  return made.plain;
};

/** What is quoted, and what that quotes, so that it can be judged; deeper ones stay away. */
const MAX_QUOTES = 2;

const quoteView = (parts: Parts, quote: QuoteRow, depth: number): QuoteView => {
  const id = quote.state === "accepted" && depth < MAX_QUOTES ? quote.quoted_status_id : null;
  return { ...quote, status: id === null ? null : assemble(parts, id, depth + 1) };
};

const assemble = (parts: Parts, id: string, depth = 0): StatusView | null => {
  const row = parts.rows.get(id);
  const account = row && parts.accounts.get(row.account_id);
  if (!row || !account) return null;
  const reblog = row.reblog_of_id ? assemble(parts, row.reblog_of_id, depth) : null;
  if (row.reblog_of_id && !reblog) return null;
  const { viewerId, marks } = parts;
  const muted = row.conversation_id !== null && parts.mutedThreads.has(row.conversation_id);
  const viewer = viewerId === null ? null : viewerPart(viewerId, row, account, marks, muted);
  const view = { ...plainView(row, account), reblog, viewer };
  if (row.poll) view.poll = pollView(row.poll, parts.choices, viewerId, parts.now);
  if (row.quote) view.quote = quoteView(parts, row.quote, depth);
  return view;
};

const authorsOf = (rows: Map<string, KeptRow>): string[] => {
  const ids = new Set<string>();
  for (const row of rows.values()) ids.add(row.account_id);
  return [...ids];
};

/** One query, and none on a page without polls. */
const choicesIn = async (db: Db, rows: Map<string, KeptRow>, viewerId: string | null) => {
  if (viewerId === null) return null;
  const pollIds: string[] = [];
  for (const { poll } of rows.values()) if (poll) pollIds.push(poll.id);
  return pollIds.length === 0 ? null : loadChoices(db, viewerId, pollIds);
};

const NO_THREADS: ReadonlySet<string> = new Set();
const NO_MARKS: Marks = { row: () => 0, account: () => 0 };

/** With the authors whose whole domain the viewer blocks. */
const marksOf = async (
  app: App,
  db: Db,
  viewerId: string,
  rows: Map<string, KeptRow>,
  accounts: Map<string, AccountView>,
): Promise<Marks> => {
  const marks = await keptMarks(app, db, viewerId, rows, accounts);
  const domains = await keptBlockedDomains(app, viewerId, db);
  if (domains.size === 0) return marks;
  const blocked = ({ domain }: AccountView) =>
    domain !== null && domains.has(domain) ? MARKS.domainBlocking : 0;
  return { row: marks.row, account: (account) => marks.account(account) | blocked(account) };
};

/** Views in the order of the ids; missing ones are left out. Nothing is judged here: see rules.ts. */
export const loadStatuses = async (
  app: App,
  ids: string[],
  viewerId: string | null,
  db: Db = app.sql,
): Promise<StatusView[]> => {
  if (ids.length === 0) return [];
  const rows = await keptStatuses(app, db, ids);
  const accounts = await keptAccounts(app, db, authorsOf(rows));
  // Last: what is kept of the viewer must not be older than the rows (kept-marks.ts).
  const marks = viewerId === null ? NO_MARKS : await marksOf(app, db, viewerId, rows, accounts);
  const choices = await choicesIn(db, rows, viewerId);
  const mutedThreads =
    viewerId === null ? NO_THREADS : await keptMutedConversations(app, viewerId, db);
  const parts = { rows, accounts, viewerId, marks, mutedThreads, choices, now: app.clock.now() };
  const views: StatusView[] = [];
  for (const id of ids) {
    const view = assemble(parts, id);
    if (view) views.push(view);
  }
  if (viewerId !== null) {
    applyFilters(await keptFilters(app, viewerId, db), views, app.clock.now());
  }
  return views;
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
  const viewer = viewerPart(authorId, view.row, view.account, NO_MARKS);
  const poll = view.poll && { ...view.poll, ownVotes: [] };
  return { ...view, viewer, poll };
};
