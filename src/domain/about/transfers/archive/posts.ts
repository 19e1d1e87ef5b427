// Turns the posts of an archive into activities: those of its owner, and the private mentions that they received.

import type { App } from "../../../../platform/app.ts";
import { asPerson } from "../../../../platform/viewer.ts";
import { createObject } from "../../../posts/statuses/activitypub.ts";
import { announceObject } from "../../../posts/statuses/activitypub-acts.ts";
import type { Activity } from "../../../posts/statuses/activitypub.ts";
import { loadAsServer, loadVisible } from "../../../posts/statuses/load.ts";
import { isInArchive, isReceived, withRecipients } from "../../../posts/statuses/rules.ts";
import type { FederatedStatus, StatusView } from "../../../posts/statuses/tables.ts";
import { federates, isCircle } from "../../../posts/statuses/visibility.ts";
import { PAGE, selectPostIds, selectReceivedIds } from "./queries.ts";

/** Returns where the file of an attachment is in the archive. */
export const pathIn = (id: string, key: string): string =>
  `media_attachments/files/${id}/original/${key.slice(key.lastIndexOf("/") + 1)}`;

/** Makes attachments point into the archive. */
const withPaths = (
  activity: Activity,
  media: { id: string; file_key: string | null }[],
): Activity => {
  const object = activity["object"] as Activity;
  const attachment = object["attachment"] as Activity[];
  const inside = attachment.map((attached, at) => {
    const { id, file_key: key } = media[at]!;
    return key === null ? attached : { ...attached, url: pathIn(id, key) };
  });
  return { ...activity, object: { ...object, attachment: inside } };
};

/** Adds the visibility of a post that stays here or is for a circle, since other software reads only its addressing. */
const withVisibility = (activity: Activity, view: FederatedStatus): Activity => {
  if (federates(view) && !isCircle(view)) return activity;
  const { visibility } = view;
  return { ...activity, object: { ...(activity["object"] as Activity), visibility } };
};

/** Adds the people of a circle for its author, but not for people who reply in one. */
const forItsAuthor = (view: FederatedStatus): FederatedStatus =>
  isCircle(view) && view.in_reply_to_id === null
    ? withRecipients(
        view,
        view.mentions.map(({ id }) => id),
      )
    : view;

type Load<View> = (ids: string[]) => Promise<View[]>;
type Select = typeof selectPostIds;

/** Yields the oldest first, a page at a time. */
const posts = async function* <View extends StatusView>(
  app: App,
  accountId: string,
  select: Select,
  load: Load<View>,
): AsyncGenerator<View> {
  for (let after = "0"; ;) {
    const ids = await select(app.sql, accountId, after);
    yield* await load(ids);
    if (ids.length < PAGE) return;
    after = ids.at(-1)!;
  }
};

export const ownActivities = async function* (
  app: App,
  accountId: string,
): AsyncGenerator<Activity> {
  const { site } = app.config;
  for await (const view of posts(app, accountId, selectPostIds, (ids) => loadAsServer(app, ids))) {
    if (!isInArchive(view)) continue;
    yield view.reblog
      ? announceObject(view, site)
      : withVisibility(withPaths(createObject(forItsAuthor(view), site), view.media), view);
  }
};

const received = async function* (app: App, accountId: string): AsyncGenerator<FederatedStatus> {
  const load = (ids: string[]) => loadVisible(app, ids, asPerson(accountId));
  for await (const view of posts(app, accountId, selectReceivedIds, load)) {
    if (isReceived(view)) yield view;
  }
};

/** Members that only the author's own server can state of a post. */
const OF_ITS_SERVER = ["replies", "likes", "shares", "interactionPolicy"];

const asReceived = (activity: Activity): Activity => {
  const object = Object.entries(activity["object"] as Activity);
  return {
    ...activity,
    object: Object.fromEntries(object.filter(([name]) => !OF_ITS_SERVER.includes(name))),
  };
};

export const receivedActivities = async function* (
  app: App,
  accountId: string,
): AsyncGenerator<Activity> {
  for await (const view of received(app, accountId)) {
    yield asReceived(withPaths(createObject(view, app.config.site), view.media));
  }
};

/** Yields files that local people attached to received posts; files of other servers have their address in the post. */
export const receivedFiles = async function* (app: App, accountId: string) {
  for await (const { media } of received(app, accountId)) {
    for (const { id, file_key: key } of media) if (key !== null) yield { id, key };
  }
};
