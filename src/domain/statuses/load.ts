// Ids + viewer → status views, in a fixed number of queries: one for what changes with the viewer and
// for the versions, and those for statuses and accounts that are not cached.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { NotFound } from "../../platform/errors.ts";
import type { AccountView } from "../accounts/tables.ts";
import { loadParts } from "./cache.ts";
import { FLAGS, selectAnonymousPage, selectPersonalPage } from "./queries-page.ts";
import type { PageRow } from "./queries-page.ts";
import { canSee } from "./rules.ts";
import type { StatusRow, StatusView, ViewerPart } from "./tables.ts";

type Parts = {
  page: Map<string, PageRow>;
  rows: Map<string, StatusRow>;
  accounts: Map<string, AccountView>;
  viewerId: string | null;
};

const viewerPart = (viewerId: string, { flags }: PageRow): ViewerPart => {
  const has = (flag: number) => (flags & flag) !== 0;
  return {
    id: viewerId,
    flags: {
      favourited: has(FLAGS.favourited),
      reblogged: has(FLAGS.reblogged),
      bookmarked: has(FLAGS.bookmarked),
      pinned: has(FLAGS.pinned),
    },
    relation: {
      following: has(FLAGS.following),
      blocking: has(FLAGS.blocking),
      blocked_by: has(FLAGS.blockedBy),
      muting: has(FLAGS.muting),
    },
  };
};

const assemble = (parts: Parts, id: string): StatusView | null => {
  const state = parts.page.get(id);
  const row = parts.rows.get(id);
  const account = row && parts.accounts.get(row.account_id);
  if (!state || !row || !account) return null;
  const reblog = row.reblog_of_id ? assemble(parts, row.reblog_of_id) : null;
  if (row.reblog_of_id && !reblog) return null;
  const viewer = parts.viewerId === null ? null : viewerPart(parts.viewerId, state);
  return { ...row, row, account, reblog, viewer };
};

/** Views in the order of the ids; missing ones are left out. Nothing is judged here: see rules.ts. */
export const loadStatuses = async (
  app: App,
  ids: string[],
  viewerId: string | null,
  db: Db = app.sql,
): Promise<StatusView[]> => {
  if (ids.length === 0) return [];
  const page =
    viewerId === null
      ? await selectAnonymousPage(db, ids)
      : await selectPersonalPage(db, ids, viewerId, app.clock.now());
  const { rows, accounts } = await loadParts(app, db, page);
  const parts = { page: new Map(page.map((row) => [row.id, row])), rows, accounts, viewerId };
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
