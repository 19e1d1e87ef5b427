// Handles posts that members send to a group by mentioning it: the group boosts them once, or a moderator decides; and
// a moderator may take a boost back. Announces a group's posts, and the replies of members in their threads, to servers
// of Lemmy's kind (FEP-1b12).

import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { Forbidden, NotFound, Unprocessable, isRefusal, nullOn } from "../../../platform/errors.ts";
import { addDays } from "../../../platform/ids/index.ts";
import { says } from "../../../platform/text/texts.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { reblog, unreblog } from "../../posts/statuses/reblog.ts";
import type { StatusView } from "../../posts/statuses/tables.ts";
import { openTo } from "../../posts/statuses/visibility.ts";
import { hasGroups, requireRole } from "./access.ts";
import "./events.ts";
import { MAX_POSTS_PER_DAY, MAX_ANSWERS_PER_DAY } from "./limits.ts";
import { insertAct } from "./queries.ts";
import {
  changeState,
  insertPosts,
  isOwnOfLimited,
  lockMembers,
  selectArrivals,
  selectShared,
  selectState,
  selectStates,
  insertAnswers,
  selectThreads,
} from "./queries-posts.ts";
import type { Arrival, Sent } from "./queries-posts.ts";
import type { GroupAction, PostState } from "./tables.ts";
import type { InThread } from "./events.ts";

/** Accepts posts for everybody, because a boost carries a post anywhere; replies stay in their thread. */
const isForGroups = (view: StatusView): boolean =>
  view.reblog_of_id === null &&
  view.in_reply_to_id === null &&
  view.in_reply_to_uri === null &&
  openTo("world", view);

const sentTo = (view: StatusView): Sent[] => {
  const { id: statusId, account_id: accountId, conversation_id: conversationId } = view;
  return view.mentions
    .filter(({ domain }) => domain === null)
    .map(({ id: groupId }) => ({ groupId, statusId, accountId, conversationId }));
};

type InGroup = Pick<Sent, "groupId" | "statusId">;

/** Ends the boost, where there is one. */
const unshare = async (app: App, { groupId, statusId }: InGroup): Promise<void> => {
  // An author who blocks the group was never boosted by it.
  await nullOn(isRefusal, unreblog(app, asPerson(groupId), statusId));
};

/**
 * Boosts a post like anybody does. A post that was removed meanwhile is not boosted; the removal may have come before
 * the boost.
 */
const share = async (app: App, post: InGroup): Promise<void> => {
  const { groupId, statusId } = post;
  await reblog(app, asPerson(groupId), statusId, { visibility: "public" });
  const [shared] = await selectShared(app.sql, [post]);
  if (!shared) await unshare(app, post);
};

/** Removes a post from the group whose author does not let the group boost it. */
const shareUnlessRefused = async (app: App, post: InGroup): Promise<void> => {
  await nullOn(isRefusal, share(app, post));
};

const take = (app: App, arrivals: Arrival[]): Promise<void> =>
  app.sql.begin(async (tx) => {
    const at = app.clock.now();
    await lockMembers(tx, arrivals);
    await insertPosts(tx, arrivals, { since: addDays(at, -1), at, most: MAX_POSTS_PER_DAY });
  });

/** Shares posts in groups; idempotent, since posts that were taken already stay as they are. */
export const shareInGroups = async (app: App, views: StatusView[]): Promise<void> => {
  const sent = views.filter(isForGroups).flatMap(sentTo);
  if (sent.length === 0 || !(await hasGroups(app))) return;
  const arrivals = (await selectArrivals(app.sql, sent)).filter(
    ({ isMember, isBlocked }) => isMember && !isBlocked,
  );
  if (arrivals.length === 0) return;
  await take(app, arrivals);
  for (const post of await selectShared(app.sql, arrivals)) await shareUnlessRefused(app, post);
};

/** What became of a post in a group. */
type InGroupNow = { groupId: string; state: PostState };

/** Milliseconds after which a post that no group took is in none. */
const ARRIVING_MS = 60_000;

/** Returns what the groups will do with a post that was just written. */
const arriving = async (app: App, view: StatusView): Promise<InGroupNow[]> => {
  const age = app.clock.now().getTime() - view.created_at.getTime();
  const sent = age < ARRIVING_MS && isForGroups(view) ? sentTo(view) : [];
  const arrivals = sent.length > 0 ? await selectArrivals(app.sql, sent) : [];
  return arrivals
    .filter(({ isMember, isBlocked }) => isMember && !isBlocked)
    .map(({ groupId, isHeld }) => ({ groupId, state: isHeld ? "held" : "shared" }));
};

/** Returns the groups that a post was sent to, for its author. */
export const groupsOf = async (app: App, view: StatusView): Promise<InGroupNow[]> => {
  if (view.mentions.length === 0 || !(await hasGroups(app))) return [];
  const taken = await selectStates(app.sql, view.id);
  const isTaken = (groupId: string) => taken.some((each) => each.groupId === groupId);
  return [...taken, ...(await arriving(app, view)).filter(({ groupId }) => !isTaken(groupId))];
};

/** `by` decides on a post in the group. */
export type PostAct = { groupId: string; by: string; statusId: string };

const record = (
  app: App,
  tx: Tx,
  action: GroupAction,
  { groupId, by: accountId, statusId }: PostAct,
) => insertAct(tx, { groupId, accountId, action, statusId }, app.clock.now());

const DECIDED = { shared: "group_posts.approved", removed: "group_posts.removed" } as const;

/**
 * Returns the former state. Of several moderators the first one decides: throws Unprocessable for the others, NotFound
 * for a post that was never sent to the group.
 */
const decide = async (
  db: Db,
  act: PostAct,
  change: { from: PostState[]; to: PostState },
): Promise<PostState> => {
  const before = await changeState(db, act, change);
  if (before !== null) return before;
  const state = await selectState(db, act);
  if (state === null || state === "held") throw new NotFound();
  throw new Unprocessable(says(DECIDED[state]));
};

/** Makes it wait again, unless it was removed meanwhile. */
const holdAgain = (app: App, act: PostAct) =>
  changeState(app.sql, act, { from: ["shared"], to: "held" });

/**
 * Boosts a held post. Throws Unprocessable where it does not wait any more, or the group may not boost it; Forbidden
 * for limited people's own posts, since they would give themselves the reach that the staff took.
 */
export const approvePost = async (app: App, act: PostAct): Promise<void> => {
  await requireRole(app, act.groupId, act.by, "moderator");
  if (await isOwnOfLimited(app.sql, { ...act, accountId: act.by }))
    throw new Forbidden(says("group_posts.own"));
  await decide(app.sql, act, { from: ["held"], to: "shared" });
  try {
    await share(app, act);
  } catch (error) {
    await holdAgain(app, act);
    throw isRefusal(error) ? new Unprocessable(says("group_posts.not_boosted")) : error;
  }
  await app.sql.begin((tx) => record(app, tx, "approve", act));
};

/** Removes a post from the group for good: the boost ends, and the post stays elsewhere. Throws NotFound for others. */
export const removePost = async (app: App, act: PostAct): Promise<void> => {
  await requireRole(app, act.groupId, act.by, "moderator");
  const { groupId, statusId, by } = act;
  await app.sql.begin(async (tx) => {
    const state = await decide(tx, act, { from: ["held", "shared"], to: "removed" });
    await record(app, tx, "remove", act);
    if (state === "shared") await app.jobs.add(tx, "group.removed", { groupId, statusId, by });
  });
  await unshare(app, act);
};

const isForEverybody = (view: StatusView): boolean =>
  openTo("world", view) && !view.awaits_approval && view.account.suspended_at === null;

/** Returns the post that a boost by a group of this server brings in. */
const ofBoost = ({ account, reblog }: StatusView): InThread[] =>
  reblog && account.actor_type === "Group" && account.domain === null
    ? [{ groupId: account.id, statusId: reblog.id }]
    : [];

/** Returns each member's replies up to the daily limit. */
const answersAmong = async (app: App, views: StatusView[]): Promise<InThread[]> => {
  const answers = views.filter((view) => view.in_reply_to_id !== null && view.conversation_id);
  if (answers.length === 0 || !(await hasGroups(app))) return [];
  const threads = await selectThreads(
    app.sql,
    answers.map(({ id: statusId, account_id: accountId, conversation_id: conversationId }) => ({
      statusId,
      accountId,
      conversationId: conversationId!,
    })),
  );
  if (threads.length === 0) return [];
  return app.sql.begin(async (tx) => {
    const at = app.clock.now();
    await lockMembers(tx, threads);
    return insertAnswers(tx, threads, { since: addDays(at, -1), at, most: MAX_ANSWERS_PER_DAY });
  });
};

export const announceAnswersInGroups = async (app: App, views: StatusView[]): Promise<void> => {
  const open = views.filter(isForEverybody);
  const threads = [...open.flatMap(ofBoost), ...(await answersAmong(app, open))];
  if (threads.length === 0) return;
  await app.jobs.addMany(
    app.sql,
    "group.announce",
    threads.map((payload) => ({ payload })),
  );
};
