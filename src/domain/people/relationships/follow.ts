// Follows accounts, for local and remote followers: at once, or as a request where the target has to approve. Follows
// at the same moment share their statements and a commit (follow-batch.ts); this file judges who may follow.

import type { App } from "../../../platform/app.ts";
import { createBatcher, gatherRequests } from "../../../platform/batcher.ts";
import { perApp } from "../../../platform/caches/index.ts";
import { Forbidden, invalidField, NotFound } from "../../../platform/errors.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import { storeFollows } from "./follow-batch.ts";
import type { Judged, Outcome, PendingFollow, Verdict } from "./follow-batch.ts";
import type { FollowOptions, Relation } from "./tables.ts";
import { tellRelation } from "./tell.ts";

type FollowInput = {
  accountId: string;
  targetId: string;
  /** URI of the Follow activity, when another server sent it. */
  uri?: string | null;
  options?: FollowOptions;
};

/**
 * Follows that everybody may have, and the most per own follower beyond that (limits.json of the contract,
 * follow_limit).
 */
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

const limitOf = ({ followers_count }: AccountView): number =>
  Math.max(FOLLOW_BASE, Number(followers_count) * FOLLOW_RATIO);

const isOverLimit = (account: AccountView): boolean =>
  account.domain === null && Number(account.following_count) >= limitOf(account);

/** Remote targets decide for themselves; accounts limited on this server need approval. */
const mustAsk = ({ account, target }: People): boolean =>
  target.locked || target.domain !== null || account.silenced_at !== null;

/** Returns whether there is a block between the two, or a local target blocks the whole domain of a remote follower. */
const isShutOut = ({ relation, isDomainBlocked }: Judged): boolean =>
  relation.blocking || relation.blocked_by || relation.domain_blocking || isDomainBlocked;

/** `isFormer` says that the follow began under a former domain of this server. */
const judge = (follow: Judged, isFormer: boolean): Verdict => {
  const { relation, account, target } = follow;
  if (isFormer) return "resumed";
  if (relation.following) return "renewed";
  if (hasMoved(target)) return "refused";
  if (isOverLimit(account)) return "over limit";
  return mustAsk(follow) || relation.requested ? "requested" : "followed";
};

const batcherOf = perApp("follows being written", (app) =>
  createBatcher<PendingFollow, Outcome>({
    run: (follows) => storeFollows(app, follows, { isShutOut, judge }),
    gatherMs: gatherRequests(app.process),
    maxBatch: 100,
    maxWaiting: 5_000,
  }),
);

/** Largest daily limit of posts, up to which posts are counted (timelines/fragments.ts). */
export const MAX_DAILY = 100;

const checkOptions = ({ dailyLimit: limit }: FollowOptions = {}): void => {
  if (limit === null || limit === undefined || (limit >= 1 && limit <= MAX_DAILY)) return;
  throw invalidField("daily_limit", `must be from 1 to ${MAX_DAILY}`);
};

/**
 * Follows, requests to, or changes the options of an existing follow; is idempotent. Returns the follower's relation to
 * the target then. Throws NotFound for a target that nobody may see; Forbidden for oneself, a moved or blocked account,
 * or over the limit; Unprocessable for invalid options. A remote follower who is refused gets a Reject.
 */
export const follow = async (app: App, input: FollowInput): Promise<Relation> => {
  checkOptions(input.options);
  const people = await loadPeople(app, input);
  const { verdict, relation } = await batcherOf(app).add({
    uri: null,
    options: {},
    ...input,
    ...people,
  });
  if (verdict === "over limit") {
    const most = Math.floor(limitOf(people.account));
    throw new Forbidden(`You cannot follow more than ${most} accounts`);
  }
  if (verdict === "refused" && !input.uri) throw new Forbidden("One of you blocks the other");
  await tellRelation(app, input.accountId, input.targetId);
  return relation;
};
