// Ids + viewer → status views, in a fixed number of queries: the statuses with what hangs on them,
// their accounts, the viewer's flags, the viewer's relations to the authors.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { NotFound } from "../../platform/errors.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import { loadRelations } from "../relationships/load.ts";
import type { Relation } from "../relationships/tables.ts";
import { selectFlags, selectStatuses } from "./queries.ts";
import { canSee } from "./rules.ts";
import type { StatusRow, StatusView, ViewerFlags } from "./tables.ts";

type Parts = {
  rows: Map<string, StatusRow>;
  accounts: Map<string, AccountView>;
  viewerId: string | null;
  flags: Map<string, ViewerFlags>;
  relations: Map<string, Relation>;
};

const NO_FLAGS: ViewerFlags = {
  favourited: false,
  reblogged: false,
  bookmarked: false,
  pinned: false,
};

const assemble = (parts: Parts, id: string): StatusView | null => {
  const row = parts.rows.get(id);
  const account = row && parts.accounts.get(row.account_id);
  if (!row || !account) return null;
  const reblog = row.reblog_of_id ? assemble(parts, row.reblog_of_id) : null;
  if (row.reblog_of_id && !reblog) return null;
  const viewer = parts.viewerId && {
    id: parts.viewerId,
    flags: parts.flags.get(id) ?? NO_FLAGS,
    relation: parts.relations.get(row.account_id) ?? null,
  };
  return { ...row, account, reblog, viewer: viewer || null };
};

const viewerParts = async (app: App, db: Db, viewerId: string | null, rows: StatusRow[]) => {
  if (viewerId === null) return { flags: new Map(), relations: new Map() };
  const [flags, relations] = await Promise.all([
    selectFlags(
      db,
      viewerId,
      rows.map((row) => row.id),
    ),
    loadRelations(
      app,
      viewerId,
      rows.map((row) => row.account_id),
      db,
    ),
  ]);
  return { flags: new Map(flags.map((row) => [row.id, row])), relations };
};

/** Views in the order of the ids; missing ones are left out. Nothing is judged here: see rules.ts. */
export const loadStatuses = async (
  app: App,
  ids: string[],
  viewerId: string | null,
  db: Db = app.sql,
): Promise<StatusView[]> => {
  if (ids.length === 0) return [];
  const list = await selectStatuses(db, ids);
  const [accounts, parts] = await Promise.all([
    loadAccounts(
      app,
      list.map((row) => row.account_id),
      db,
    ),
    viewerParts(app, db, viewerId, list),
  ]);
  const rows = new Map(list.map((row) => [row.id, row]));
  return ids.flatMap((id) => assemble({ rows, accounts, viewerId, ...parts }, id) ?? []);
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
