// Telling of many happenings around statuses at once: what notify.ts does for one.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { loadAsServer } from "../statuses/load.ts";
import type { StatusView } from "../statuses/tables.ts";
import { openToFollowers } from "../statuses/visibility.ts";
import { keptAudiences } from "../timelines/kept-readers.ts";
import { userChannel } from "../timelines/streams.ts";
import "./events.ts";
import { mayKnow } from "./notify.ts";
import { deleteHappenings, insertManyNotifications, selectManyCandidates } from "./queries-many.ts";
import type { Told } from "./queries-many.ts";
import type { NotificationType } from "./tables.ts";

export type ToTell = {
  /** Who is told; a remote account is not. */
  accountId: string;
  fromId: string;
  type: NotificationType;
  statusId: string;
};

/** A job for each whose recipient listens now; the others find it in their list. */
const tellLive = async (app: App, tx: Tx, made: { id: string; account_id: string }[]) => {
  const channels = [...new Set(made.map((row) => userChannel(row.account_id)))];
  const heard = new Set(await app.pubsub.heard(channels));
  const live = made.filter((row) => heard.has(userChannel(row.account_id)));
  const jobs = live.map(({ id }) => ({ payload: { id } }));
  await app.jobs.addMany(tx, "notification.created", jobs);
};

/** Tells each once however often it is called, with a job for every new row; see notifyAll. */
export const notifyMany = async (app: App, list: ToTell[]): Promise<void> => {
  if (list.length === 0) return;
  const ids = [...new Set(list.map((one) => one.statusId))];
  const views = new Map((await loadAsServer(app, ids)).map((view) => [view.id, view]));
  const told = list.flatMap((one, n): Told[] => {
    const view = views.get(one.statusId);
    return view ? [{ ...one, n, authorId: view.account_id }] : [];
  });
  const now = app.clock.now();
  await app.sql.begin(async (tx) => {
    const candidates = await selectManyCandidates(tx, told, now);
    const allowed = new Set(
      candidates
        .filter((row) => mayKnow(views.get(list[row.n]!.statusId)!, row))
        .map((row) => row.n),
    );
    const rest = told.filter(({ n }) => allowed.has(n));
    if (rest.length === 0) return;
    const made = await insertManyNotifications(tx, rest, now);
    await tellLive(app, tx, made);
  });
};

const isReplyToAnother = (view: StatusView): boolean =>
  view.in_reply_to_id !== null && view.in_reply_to_account_id !== view.account_id;

/** Followers here who asked for every post of an author: one entry for each of them and status. */
export const followersToTell = async (app: App, views: StatusView[]): Promise<ToTell[]> => {
  const posts = views.filter(
    (view) => view.reblog_of_id === null && openToFollowers(view) && !isReplyToAnother(view),
  );
  if (posts.length === 0) return [];
  const audiences = await keptAudiences(
    app,
    posts.map((view) => view.account_id),
  );
  return posts.flatMap(({ id: statusId, account_id: fromId, language }) => {
    const { notified, wishes } = audiences.get(fromId)!;
    const languagesOf = (id: string) => wishes.get(id)?.languages ?? null;
    return notified
      .filter((id) => !language || (languagesOf(id)?.includes(language) ?? true))
      .map((accountId) => ({ accountId, fromId, type: "status" as const, statusId }));
  });
};

/** Removes what undone acts had told. */
export const retractMany = (
  app: App,
  undone: { fromId: string; type: NotificationType; statusId: string }[],
): Promise<void> => deleteHappenings(app.sql, undone);
