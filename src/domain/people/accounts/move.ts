// Moves accounts, local or remote, to others, and manages the aliases that allow it: the new account has to name the
// old one. The job `account.moved` does what follows for followers and other servers.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { Forbidden, NotFound, Unprocessable, orNotFound } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { addDays } from "../../../platform/ids/index.ts";
import "./events.ts";
import { getAccount } from "./load.ts";
import {
  copyStanding,
  insertMove,
  lockMoving,
  selectLastMove,
  updateAliases,
  updateMovedTo,
} from "./queries-move.ts";
import type { AccountView } from "./tables.ts";

const MAX_ALIASES = 10;
/** Days before an account may move again, since its followers are moved one by one. */
export const COOL_DOWN_DAYS = 30;

/** Changes the aliases of a local account; a job notifies its followers' servers. */
const changeAliases = (app: App, accountId: string, change: (aliases: string[]) => string[]) =>
  app.sql.begin(async (tx) => {
    const row = orNotFound(await lockMoving(tx, accountId));
    const aliases = change(row.also_known_as);
    if (aliases.length > MAX_ALIASES) {
      throw new Unprocessable(says("aliases.too_many", { count: MAX_ALIASES }));
    }
    await updateAliases(tx, accountId, aliases);
    await app.jobs.add(tx, "account.updated", { id: accountId });
  });

/** Adds another account as an alias, which may then move to this one. */
export const addAlias = (app: App, accountId: string, uri: string): Promise<void> =>
  changeAliases(app, accountId, (aliases) => [...new Set([...aliases, uri])]);

export const removeAlias = (app: App, accountId: string, uri: string): Promise<void> =>
  changeAliases(app, accountId, (aliases) => aliases.filter((alias) => alias !== uri));

/** Returns when a local account may move again; null for now. */
export const mayMoveAt = async (
  app: App,
  accountId: string,
  db: Db = app.sql,
): Promise<Date | null> => {
  const last = await selectLastMove(db, accountId);
  const next = last && addDays(last, COOL_DOWN_DAYS);
  return next && next > app.clock.now() ? next : null;
};

type Pair = { accountId: string; targetId: string };

const checkTarget = (account: AccountView, target: AccountView): void => {
  if (target.id === account.id) throw new Unprocessable(says("move.self"));
  if (target.suspended_at !== null || target.pending) throw new NotFound();
  if (target.moved_to_account_id !== null) {
    throw new Unprocessable(says("move.target_moved"));
  }
  if (!target.also_known_as.includes(account.uri)) {
    throw new Unprocessable(says("move.no_alias"));
  }
};

/**
 * Stores that the account moved to the target. Throws Unprocessable where the target does not name it, Forbidden within
 * the cool-down.
 */
export const moveAccount = async (app: App, { accountId, targetId }: Pair): Promise<void> => {
  const account = await getAccount(app, accountId);
  checkTarget(account, await getAccount(app, targetId));
  await app.sql.begin(async (tx) => {
    await lockMoving(tx, accountId);
    if (await mayMoveAt(app, accountId, tx)) {
      throw new Forbidden(says("move.lately"));
    }
    await insertMove(tx, accountId, targetId, app.clock.now());
    await updateMovedTo(tx, accountId, targetId);
    await app.jobs.add(tx, "account.moved", { accountId, targetId, after: "0" });
  });
};

/**
 * Stores that a remote account is now another one, because its server was set up anew and has it under another address;
 * what moderators decided holds for it too. Returns false where it had moved before.
 */
export const succeedAccount = (app: App, { accountId, targetId }: Pair): Promise<boolean> =>
  app.sql.begin(async (tx) => {
    const row = await lockMoving(tx, accountId);
    if (!row || row.moved_to_account_id !== null) return false;
    await updateMovedTo(tx, accountId, targetId);
    await copyStanding(tx, accountId, targetId);
    await app.jobs.add(tx, "account.moved", { accountId, targetId, after: "0" });
    return true;
  });

/** Takes back that a local account moved. Its followers stay where they are. */
export const endMove = (app: App, accountId: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    await updateMovedTo(tx, accountId, null);
    await app.jobs.add(tx, "account.updated", { id: accountId });
  });
