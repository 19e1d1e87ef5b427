// Manages members of a group, which are its followers: moderators, who may join, and bans. Each act is recorded.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { Forbidden, NotFound, Unprocessable } from "../../../platform/errors.ts";
import { getAccount } from "../../people/accounts/load.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { acceptFollow } from "../../people/relationships/accept-follow.ts";
import { block } from "../../people/relationships/block.ts";
import { loadRelations } from "../../people/relationships/load.ts";
import { refuseRequest } from "../../people/relationships/reject-follow.ts";
import { unblock } from "../../people/relationships/block.ts";
import { requireRole, roleIn } from "./access.ts";
import { transferIn } from "./edit.ts";
import { MAX_MODERATED, MAX_MODERATORS } from "./limits.ts";
import {
  countModerated,
  deleteModerator,
  insertAct,
  insertModerator,
  lockModeration,
  selectModerators,
} from "./queries.ts";
import type { GroupAction, GroupRow } from "./tables.ts";

/** `by` acts in the group on the account with the id `to`. */
export type MemberAct = { groupId: string; by: string; to: string };

const record = (app: App, db: App["sql"] | Tx, action: GroupAction, act: MemberAct) => {
  const { groupId, by: accountId, to: targetId } = act;
  return insertAct(db, { groupId, accountId, action, targetId }, app.clock.now());
};

/** Requires a person of this server, since moderators sign in here. */
const requirePerson = (view: AccountView): void => {
  if (view.domain !== null || view.role === null || view.suspended_at !== null) {
    throw new Unprocessable("Validation failed: Only people of this server can moderate groups");
  }
};

const moderatorsOf = async (app: App, groupId: string, db: App["sql"] | Tx = app.sql) =>
  (await selectModerators(db, [groupId])).map(({ account_id: id }) => id);

const addModerator = async (app: App, tx: Tx, act: MemberAct): Promise<void> => {
  await lockModeration(tx, act.groupId);
  await lockModeration(tx, act.to);
  const moderators = await moderatorsOf(app, act.groupId, tx);
  if (moderators.includes(act.to)) return;
  if (moderators.length >= MAX_MODERATORS || (await countModerated(tx, act.to)) >= MAX_MODERATED) {
    const text = `A group has up to ${MAX_MODERATORS} moderators, and nobody moderates more than ${MAX_MODERATED}`;
    throw new Unprocessable(`Validation failed: ${text}`);
  }
  if (await insertModerator(tx, act.groupId, act.to)) await record(app, tx, "promote", act);
};

/** Makes a member a moderator; only the owner may. */
export const promote = async (app: App, act: MemberAct): Promise<void> => {
  const group = await requireRole(app, act.groupId, act.by, "owner");
  if (group.owner_id === act.to) throw new Unprocessable("Validation failed: This is the owner");
  requirePerson(await getAccount(app, act.to));
  const relation = (await loadRelations(app, act.groupId, [act.to])).get(act.to)!;
  if (!relation.followed_by) {
    throw new Unprocessable("Validation failed: Only a member can moderate the group");
  }
  await app.sql.begin((tx) => addModerator(app, tx, act));
};

/** Ends a moderator's role, by the owner or the moderator; throws NotFound where there is none. */
export const demote = async (app: App, act: MemberAct): Promise<void> => {
  await requireRole(app, act.groupId, act.by, act.by === act.to ? "moderator" : "owner");
  await app.sql.begin(async (tx) => {
    if (!(await deleteModerator(tx, act.groupId, act.to))) throw new NotFound();
    await record(app, tx, "demote", act);
  });
};

/** Makes a moderator the owner; only the owner may. */
export const transfer = async (app: App, act: MemberAct): Promise<void> => {
  await requireRole(app, act.groupId, act.by, "owner");
  if (!(await moderatorsOf(app, act.groupId)).includes(act.to)) {
    throw new Unprocessable("Validation failed: Only a moderator can become the owner");
  }
  await app.sql.begin((tx) => transferIn(app, tx, act.groupId, act));
};

const answering =
  (action: "accept" | "reject", answer: typeof acceptFollow) =>
  async (app: App, act: MemberAct): Promise<void> => {
    await requireRole(app, act.groupId, act.by, "moderator");
    const pair = { accountId: act.to, targetId: act.groupId };
    if (!(await answer(app, pair))) throw new NotFound();
    await record(app, app.sql, action, act);
  };

/** Accepts or rejects a person who requested to join; throws NotFound where there is no request. */
export const acceptMember = answering("accept", acceptFollow);
export const rejectMember = answering("reject", refuseRequest);

const requireBannable = async (app: App, group: GroupRow, to: string): Promise<void> => {
  await getAccount(app, to);
  if (roleIn(group, await moderatorsOf(app, group.account_id), to) !== null) {
    throw new Forbidden("The owner and moderators of a group cannot be banned from it");
  }
};

/** Blocks an account by the group, so that it is no member any more and cannot become one. */
export const ban = async (app: App, act: MemberAct): Promise<void> => {
  const group = await requireRole(app, act.groupId, act.by, "moderator");
  await requireBannable(app, group, act.to);
  await block(app, { accountId: act.groupId, targetId: act.to });
  await record(app, app.sql, "ban", act);
};

export const unban = async (app: App, act: MemberAct): Promise<void> => {
  await requireRole(app, act.groupId, act.by, "moderator");
  await unblock(app, { accountId: act.groupId, targetId: act.to });
  await record(app, app.sql, "unban", act);
};
