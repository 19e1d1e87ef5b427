// Following, by local and remote accounts: at once, or as a request where the target wants to approve.

import { randomUUID } from "node:crypto";
import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { Forbidden, NotFound } from "../../platform/errors.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import { relationsChanged } from "./changed.ts";
import { countFollows } from "./counts.ts";
import "./events.ts";
import { endFormer } from "./former-follows.ts";
import { loadRelations } from "./load.ts";
import { selectBlockedDomains } from "./queries.ts";
import { insertFollow, lockPair, updateFollow } from "./queries-write.ts";
import type { FollowOptions } from "./tables.ts";

type FollowInput = {
  accountId: string;
  targetId: string;
  /** Of the Follow activity, when another server sent it. */
  uri?: string | null;
  options?: FollowOptions;
};

/** Contract: limits.json, follow_limit. */
const FOLLOW_BASE = 7500;
const FOLLOW_RATIO = 1.1;

type People = { account: AccountView; target: AccountView };

const hasMoved = (target: AccountView): boolean => target.moved_to_account_id !== null;

const loadPeople = async (app: App, input: FollowInput): Promise<People> => {
  const views = await loadAccounts(app, [input.accountId, input.targetId]);
  const account = views.get(input.accountId);
  const target = views.get(input.targetId);
  if (!account || !target || target.suspended_at !== null || target.pending) throw new NotFound();
  if (account.id === target.id) throw new Forbidden("Following your own account is not allowed");
  if (hasMoved(target) && account.domain === null) {
    throw new Forbidden("This account has moved to another one");
  }
  return { account, target };
};

const checkLimit = ({ account }: People): void => {
  const most = Math.max(FOLLOW_BASE, Number(account.followers_count) * FOLLOW_RATIO);
  if (account.domain === null && Number(account.following_count) >= most) {
    throw new Forbidden(`You cannot follow more than ${Math.floor(most)} accounts`);
  }
};

/** Remote targets decide for themselves; accounts limited on this server have to ask. */
const mustAsk = ({ account, target }: People): boolean =>
  target.locked || target.domain !== null || account.silenced_at !== null;

/** Already followed: the options change. A peer that sends its Follow again gets the answer again. */
const renew = async (app: App, tx: Tx, input: Required<FollowInput>): Promise<boolean> => {
  const { accountId, targetId, uri } = input;
  if (!(await updateFollow(tx, "follows", input))) return false;
  if (uri !== null) await app.jobs.add(tx, "account.followed", { accountId, targetId });
  return true;
};

const ask = async (app: App, tx: Tx, input: Required<FollowInput>): Promise<void> => {
  const uri = input.uri ?? `${app.config.site.origin}/${randomUUID()}`;
  if (await insertFollow(tx, "follow_requests", { ...input, uri })) {
    const { accountId, targetId } = input;
    await app.jobs.add(tx, "account.follow_requested", { accountId, targetId });
    return;
  }
  // The uri that the other side knows stays, unless the follower sends a new one.
  await updateFollow(tx, "follow_requests", input);
};

const connect = async (app: App, tx: Tx, input: Required<FollowInput>): Promise<void> => {
  const { accountId, targetId } = input;
  const uri = input.uri ?? `${app.config.site.origin}/${randomUUID()}`;
  if (!(await insertFollow(tx, "follows", { ...input, uri }))) return;
  await countFollows(tx, [{ accountId, targetId, by: 1 }]);
  await app.jobs.add(tx, "account.followed", { accountId, targetId });
};

/**
 * Somebody elsewhere who followed under a former name of this server follows under the present one: without asking
 * again, and without news. False where it was not so.
 */
const followOn = async (
  app: App,
  tx: Tx,
  input: Required<FollowInput>,
  isFollowing: boolean,
): Promise<boolean> => {
  const { accountId, targetId, uri } = input;
  if (uri === null || !(await endFormer(tx, { accountId, targetId }))) return false;
  if (isFollowing) await updateFollow(tx, "follows", input);
  else if (await insertFollow(tx, "follows", input))
    await countFollows(tx, [{ accountId, targetId, by: 1 }]);
  await app.jobs.add(tx, "follow.accepted", { accountId, targetId, uri });
  return true;
};

/** A local target blocks the whole domain of a remote follower. */
const blocksDomainOf = async (tx: Tx, { account, target }: People): Promise<boolean> =>
  account.domain !== null &&
  target.domain === null &&
  (await selectBlockedDomains(tx, target.id)).includes(account.domain);

/** A block exists between the two, or the target moved away: a remote follower gets a Reject, a local one 403. */
const refuse = async (app: App, tx: Tx, input: Required<FollowInput>): Promise<void> => {
  const { accountId, targetId, uri } = input;
  if (uri === null) throw new Forbidden("One of you blocks the other");
  await app.jobs.add(tx, "follow.rejected", { accountId, targetId, uri });
};

const followIn = async (app: App, tx: Tx, people: People, input: Required<FollowInput>) => {
  const { accountId, targetId } = input;
  await lockPair(tx, accountId, targetId);
  const relation = (await loadRelations(app, accountId, [targetId], tx)).get(targetId)!;
  if (relation.blocking || relation.blocked_by || relation.domain_blocking) {
    return refuse(app, tx, input);
  }
  if (await blocksDomainOf(tx, people)) return refuse(app, tx, input);
  if (await followOn(app, tx, input, relation.following)) return;
  if (relation.following) return void (await renew(app, tx, input));
  if (hasMoved(people.target)) return refuse(app, tx, input);
  checkLimit(people);
  return mustAsk(people) || relation.requested ? ask(app, tx, input) : connect(app, tx, input);
};

/**
 * Follows, asks to, or changes the options of an existing follow; idempotent. NotFound for a target that
 * nobody may see; Forbidden for oneself, a moved or blocked account, or over the limit.
 */
export const follow = async (app: App, input: FollowInput): Promise<void> => {
  const people = await loadPeople(app, input);
  const whole = { uri: null, options: {}, ...input };
  await app.sql.begin((tx) => followIn(app, tx, people, whole));
  await relationsChanged(app, input.accountId);
};
