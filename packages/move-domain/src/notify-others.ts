// Tells others that the server has moved: followers of local accounts get a Move, accounts that people here follow or
// block get a Follow or Block from the new address, and relays are followed again. The server delivers these when it
// starts under the new name.

import { randomUUID } from "node:crypto";
import {
  blockActivity,
  deliver,
  domainMoveActivity,
  followActivity,
  followRelaysAgain,
  loadAccounts,
  ownInboxOf,
} from "./uses.ts";
import type { App, FormerNames, OutgoingActivity, Tx } from "./uses.ts";
import type { Slice } from "./queries.ts";
import {
  insertFormerFollows,
  selectFollowedElsewhere,
  selectBlocksElsewhere,
  selectFollowsElsewhere,
  updateUris,
} from "./queries-notify.ts";
import type { BlockRow, FollowTable } from "./queries-notify.ts";

/** Accounts in one slice; each Move is signed, and goes to every server with a follower. */
const ACCOUNTS = 100;
const FOLLOWS = 500;

/** Sends a Move for each account with remote followers, from the address that their servers know. */
export const notifyFollowers = async (
  app: App,
  tx: Tx,
  former: FormerNames,
  after: string,
): Promise<Slice> => {
  const ids = (await selectFollowedElsewhere(tx, after, ACCOUNTS)).map(({ id }) => id);
  const views = await loadAccounts(app, ids);
  const at = app.clock.now();
  const { site } = app.config;
  const outgoing = [...views.values()].map((view) => ({
    accountId: view.id,
    activity: domainMoveActivity(view, { site, former, at }),
    toFollowers: true,
  }));
  await deliver(app, tx, outgoing);
  return { done: outgoing.length, last: ids.length === ACCOUNTS ? ids.at(-1)! : null };
};

type Named = BlockRow & { uri: string };

/** Gives an address to Follows and Blocks without one, by which they can be accepted or undone. */
const named = async (
  app: App,
  tx: Tx,
  table: FollowTable | "blocks",
  rows: BlockRow[],
): Promise<Named[]> => {
  const { origin } = app.config.site;
  const all = rows.map((row) => ({ ...row, uri: row.uri ?? `${origin}/${randomUUID()}` }));
  const added = all.filter((_, n) => rows[n]!.uri === null);
  if (added.length > 0) await updateUris(tx, table, added);
  return all;
};

type Make = typeof followActivity | typeof blockActivity;

const sayAgain = async (app: App, rows: Named[], make: Make): Promise<OutgoingActivity[]> => {
  const ids = rows.flatMap((row) => [row.account_id, row.target_account_id]);
  const views = await loadAccounts(app, [...new Set(ids)]);
  return rows.flatMap((row) => {
    const [account, target] = [views.get(row.account_id), views.get(row.target_account_id)];
    if (!account || !target || account.moved_to_account_id !== null) return [];
    const activity = make({ uri: row.uri, actor: account.uri, object: target.uri });
    return [{ accountId: account.id, activity, inboxes: [ownInboxOf(target)] }];
  });
};

/** Remembers follows between local and remote accounts, and sends those of local ones again under the new name. */
export const notifyFollowed = async (
  app: App,
  tx: Tx,
  table: FollowTable,
  after: string,
): Promise<Slice> => {
  const rows = await selectFollowsElsewhere(tx, table, after, FOLLOWS);
  // A request to follow somebody here is not remembered: the person who was asked still has to accept it.
  const remembered = rows.filter(({ local }) => local || table === "follows");
  await insertFormerFollows(tx, remembered, app.clock.now());
  const own = await named(
    app,
    tx,
    table,
    rows.filter(({ local }) => local),
  );
  const outgoing = await sayAgain(app, own, followActivity);
  await deliver(app, tx, outgoing);
  return { done: outgoing.length, last: rows.length === FOLLOWS ? rows.at(-1)!.id : null };
};

/** Sends blocks again under the new name: other servers know them for the old address. */
export const notifyBlocked = async (app: App, tx: Tx, after: string): Promise<Slice> => {
  const rows = await selectBlocksElsewhere(tx, after, FOLLOWS);
  const outgoing = await sayAgain(app, await named(app, tx, "blocks", rows), blockActivity);
  await deliver(app, tx, outgoing);
  return { done: outgoing.length, last: rows.length === FOLLOWS ? rows.at(-1)!.id : null };
};

export const notifyRelays = async (app: App, tx: Tx): Promise<Slice> => ({
  done: await followRelaysAgain(app, tx),
  last: null,
});
