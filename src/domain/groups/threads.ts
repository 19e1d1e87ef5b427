// What servers of Lemmy's kind are told of a group: its posts, and the answers of members in their threads (FEP-1b12).

import type { App } from "../../platform/app.ts";
import type { StatusView } from "../statuses/tables.ts";
import { openTo } from "../statuses/visibility.ts";
import { hasGroups } from "./access.ts";
import "./events.ts";
import type { InThread } from "./events.ts";
import { selectThreads } from "./queries-posts.ts";

const isForEverybody = (view: StatusView): boolean =>
  openTo("world", view) && !view.awaits_approval && view.account.suspended_at === null;

/** A boost by a group of this server is what brings a post in. */
const ofBoost = ({ account, reblog }: StatusView): InThread[] =>
  reblog && account.actor_type === "Group" && account.domain === null
    ? [{ groupId: account.id, statusId: reblog.id }]
    : [];

const answersAmong = async (app: App, views: StatusView[]): Promise<InThread[]> => {
  const answers = views.filter((view) => view.in_reply_to_id !== null && view.conversation_id);
  if (answers.length === 0 || !(await hasGroups(app))) return [];
  return selectThreads(
    app.sql,
    answers.map(({ id: statusId, account_id: accountId, conversation_id: conversationId }) => ({
      statusId,
      accountId,
      conversationId: conversationId!,
    })),
  );
};

export const tellThreads = async (app: App, views: StatusView[]): Promise<void> => {
  const open = views.filter(isForEverybody);
  const threads = [...open.flatMap(ofBoost), ...(await answersAmong(app, open))];
  if (threads.length === 0) return;
  await app.jobs.addMany(
    app.sql,
    "group.announce",
    threads.map((payload) => ({ payload })),
  );
};
