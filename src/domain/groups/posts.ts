// Posts that members send to a group by naming it: the group boosts them, once, or a moderator decides; and a moderator
// takes a boost back.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { NotFound, isRefusal } from "../../platform/errors.ts";
import { addDays } from "../../platform/ids/index.ts";
import { asPerson } from "../../platform/viewer.ts";
import { reblog, unreblog } from "../statuses/reblog.ts";
import type { StatusView } from "../statuses/tables.ts";
import { openTo } from "../statuses/visibility.ts";
import { hasGroups, requireRole } from "./access.ts";
import "./events.ts";
import { MAX_POSTS_PER_DAY } from "./limits.ts";
import { insertAct } from "./queries.ts";
import { insertPost, selectArrivals, selectPostState, updatePost } from "./queries-posts.ts";
import type { Arrival, Sent } from "./queries-posts.ts";
import type { GroupAction, PostState } from "./tables.ts";

/** A boost carries a post anywhere, so it is for everybody; answers stay in their thread. */
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

/** As everybody's boosts are; what its author does not let the group boost is not in the group. */
const share = async (app: App, { groupId, statusId }: Pick<Sent, "groupId" | "statusId">) => {
  try {
    await reblog(app, asPerson(groupId), statusId, "public");
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
};

const take = async (app: App, arrival: Arrival): Promise<void> => {
  const state = arrival.isHeld ? "held" : "shared";
  const now = await insertPost(app.sql, arrival, state, app.clock.now());
  if (now === "shared") await share(app, arrival);
};

/** Idempotent: what was taken already stays as it is. */
export const shareInGroups = async (app: App, views: StatusView[]): Promise<void> => {
  const sent = views.filter(isForGroups).flatMap(sentTo);
  if (sent.length === 0 || !(await hasGroups(app))) return;
  const since = addDays(app.clock.now(), -1);
  for (const arrival of await selectArrivals(app.sql, sent, since)) {
    const { isMember, isBlocked, recent } = arrival;
    if (isMember && !isBlocked && recent < MAX_POSTS_PER_DAY) await take(app, arrival);
  }
};

/** `by` decides on a post in the group. */
export type PostAct = { groupId: string; by: string; statusId: string };

const record = (
  app: App,
  tx: Tx,
  action: GroupAction,
  { groupId, by: accountId, statusId }: PostAct,
) => insertAct(tx, { groupId, accountId, action, statusId }, app.clock.now());

/** NotFound unless it is in one of the states. */
const requireState = async (app: App, act: PostAct, states: PostState[]): Promise<PostState> => {
  const state = await selectPostState(app.sql, act);
  if (state === null || !states.includes(state)) throw new NotFound();
  return state;
};

/** What was held is boosted. NotFound where it does not wait. */
export const approvePost = async (app: App, act: PostAct): Promise<void> => {
  await requireRole(app, act.groupId, act.by, "moderator");
  await requireState(app, act, ["held"]);
  await share(app, act);
  await app.sql.begin(async (tx) => {
    await updatePost(tx, act, "shared");
    await record(app, tx, "approve", act);
  });
};

/** Takes it out of the group for good: the boost ends, and the post stays where else it is. NotFound for others. */
export const removePost = async (app: App, act: PostAct): Promise<void> => {
  await requireRole(app, act.groupId, act.by, "moderator");
  const state = await requireState(app, act, ["held", "shared"]);
  await unreblog(app, asPerson(act.groupId), act.statusId);
  const { groupId, statusId, by } = act;
  await app.sql.begin(async (tx) => {
    await updatePost(tx, act, "removed");
    await record(app, tx, "remove", act);
    if (state === "shared") await app.jobs.add(tx, "group.removed", { groupId, statusId, by });
  });
};
