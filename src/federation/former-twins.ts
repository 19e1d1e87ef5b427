// Other servers have posts, boosts and favourites stored under former names of this server (docs/design/moving.md). An
// activity that changes or ends one of them is sent a second time in its former form: by the old actor, about the old
// address.

import type { App } from "../platform/app.ts";
import { withFormerNames } from "../platform/config/names.ts";
import type { FormerNames } from "../platform/config/names.ts";
import { timeOfId } from "../platform/ids/index.ts";
import { idOf, typesOf } from "../platform/json/read.ts";
import type { Sendable } from "../domain/people/accounts/activitypub.ts";

const POST = /\/statuses\/(\d{1,19})(?:\/activity)?$/;

/** Types without a known time of their object; undoing one that nobody has does no harm. */
const UNDONE = new Set(["Like", "EmojiReact", "Block"]);

const ENDS = new Set(["Update", "Delete", "Undo"]);

/** Whether others may have the object under these names. */
const wasSent = (activity: Sendable, { until }: FormerNames): boolean => {
  const { type, actor, object } = activity;
  const uri = idOf(object);
  // A deleted account is deleted at its old address, too.
  if (uri === actor) return type === "Delete";
  const [, id] = POST.exec(uri ?? "") ?? [];
  if (id !== undefined) return timeOfId(id) < until;
  return type === "Undo" && typesOf(object).some((undone) => UNDONE.has(undone));
};

/** Returns the activities, each followed by its forms under former names. */
export const withFormerTwins = <T extends { activity: Sendable }>(
  { config: { site } }: App,
  outgoing: T[],
): T[] => {
  if (site.former.length === 0) return outgoing;
  return outgoing.flatMap((item) => {
    const { activity } = item;
    const isOwn = String(activity["actor"]).startsWith(`${site.origin}/`);
    if (!isOwn || !ENDS.has(String(activity["type"]))) return [item];
    const twins = site.former
      .filter((names) => wasSent(activity, names))
      .map((names) => ({ ...item, activity: withFormerNames(site, names, activity) }));
    return [item, ...twins];
  });
};
