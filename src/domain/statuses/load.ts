// Ids + viewer → status views, in a fixed number of queries: one for the viewer's part, and those for
// statuses and accounts that are not kept.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { NotFound } from "../../platform/errors.ts";
import type { AccountView } from "../accounts/tables.ts";
import { keptAccounts, keptStatuses } from "./cache.ts";
import { MARKS, selectMarks } from "./queries-viewer.ts";
import { canSee } from "./rules.ts";
import type { StatusRow, StatusView, ViewerPart } from "./tables.ts";

/** Bits by the id of a status or an author; ids of the two never collide in meaning: see MARKS. */
type Marks = { status: Map<string, number>; author: Map<string, number> };

type Parts = {
  rows: Map<string, StatusRow>;
  accounts: Map<string, AccountView>;
  viewerId: string | null;
  marks: Marks;
};

const viewerPart = (viewerId: string, row: StatusRow, marks: Marks): ViewerPart => {
  const done = marks.status.get(row.id) ?? 0;
  const stands = marks.author.get(row.account_id) ?? 0;
  return {
    id: viewerId,
    flags: {
      favourited: (done & MARKS.favourited) !== 0,
      reblogged: (done & MARKS.reblogged) !== 0,
      bookmarked: (done & MARKS.bookmarked) !== 0,
      pinned: (done & MARKS.pinned) !== 0,
    },
    relation: {
      following: (stands & MARKS.following) !== 0,
      blocking: (stands & MARKS.blocking) !== 0,
      blocked_by: (stands & MARKS.blockedBy) !== 0,
      muting: (stands & MARKS.muting) !== 0,
    },
  };
};

const assemble = (parts: Parts, id: string): StatusView | null => {
  const row = parts.rows.get(id);
  const account = row && parts.accounts.get(row.account_id);
  if (!row || !account) return null;
  const reblog = row.reblog_of_id ? assemble(parts, row.reblog_of_id) : null;
  if (row.reblog_of_id && !reblog) return null;
  const viewer = parts.viewerId === null ? null : viewerPart(parts.viewerId, row, parts.marks);
  return { ...row, row, account, reblog, viewer };
};

const distinct = (ids: string[]): string[] => [...new Set(ids)];

const loadMarks = async (app: App, db: Db, viewerId: string, rows: StatusRow[]): Promise<Marks> => {
  const secret = rows.filter((row) => row.visibility === "private");
  const found = await selectMarks(db, {
    viewerId,
    statusIds: rows.map((row) => row.id),
    ownIds: rows.filter((row) => row.account_id === viewerId).map((row) => row.id),
    authorIds: distinct(rows.map((row) => row.account_id)),
    privateAuthorIds: distinct(secret.map((row) => row.account_id)),
    now: app.clock.now(),
  });
  const marks: Marks = { status: new Map(), author: new Map() };
  for (const { mark, id } of found) {
    const of = mark < MARKS.following ? marks.status : marks.author;
    of.set(id, (of.get(id) ?? 0) | mark);
  }
  return marks;
};

const NO_MARKS: Marks = { status: new Map(), author: new Map() };

/** Views in the order of the ids; missing ones are left out. Nothing is judged here: see rules.ts. */
export const loadStatuses = async (
  app: App,
  ids: string[],
  viewerId: string | null,
  db: Db = app.sql,
): Promise<StatusView[]> => {
  if (ids.length === 0) return [];
  const rows = await keptStatuses(app, db, ids);
  const list = [...rows.values()];
  const [accounts, marks] = await Promise.all([
    keptAccounts(app, db, distinct(list.map((row) => row.account_id))),
    viewerId === null ? NO_MARKS : loadMarks(app, db, viewerId, list),
  ]);
  const parts = { rows, accounts, viewerId, marks };
  return ids.flatMap((id) => assemble(parts, id) ?? []);
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
