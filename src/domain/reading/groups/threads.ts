// Announces a group's posts, and the answers of members in their threads, to servers of Lemmy's kind (FEP-1b12).

import type { App } from "../../../platform/app.ts";
import { addDays } from "../../../platform/ids/index.ts";
import type { StatusView } from "../../posts/statuses/tables.ts";
import { openTo } from "../../posts/statuses/visibility.ts";
import { hasGroups } from "./access.ts";
import "./events.ts";
import type { InThread } from "./events.ts";
import { MAX_ANSWERS_PER_DAY } from "./limits.ts";
import { insertAnswers, lockMembers, selectThreads } from "./queries-posts.ts";

const isForEverybody = (view: StatusView): boolean =>
  openTo("world", view) && !view.awaits_approval && view.account.suspended_at === null;

/** Returns the post that a boost by a group of this server brings in. */
const ofBoost = ({ account, reblog }: StatusView): InThread[] =>
  reblog && account.actor_type === "Group" && account.domain === null
    ? [{ groupId: account.id, statusId: reblog.id }]
    : [];

/** Returns each member's answers up to the daily limit. */
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
