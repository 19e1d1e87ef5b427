// Others stored posts, boosts and favourites of then under former names of this server (docs/design/moving.md). What
// changes or ends one of them is sent a second time as it would have been then: by the old actor, about the old
// address.

import type { App } from "../platform/app.ts";
import { withFormerNames } from "../platform/config/names.ts";
import type { FormerNames } from "../platform/config/names.ts";
import { timeOfId } from "../platform/ids/index.ts";
import { idOf, typesOf } from "../platform/json/read.ts";
import type { Sendable } from "../domain/people/accounts/activitypub.ts";

const POST = /\/statuses\/(\d{1,19})(?:\/activity)?$/;

/** Nothing tells when they began; what nobody has is undone without harm. */
const UNDONE = new Set(["Like", "EmojiReact", "Block"]);

const ENDS = new Set(["Update", "Delete", "Undo"]);

/** Whether others may have the object under these names. */
const wasSent = (activity: Sendable, { until }: FormerNames): boolean => {
  const { type, actor, object } = activity;
  const uri = idOf(object);
  // An account that is deleted is deleted at its old address, too.
  if (uri === actor) return type === "Delete";
  const [, id] = POST.exec(uri ?? "") ?? [];
  if (id !== undefined) return timeOfId(id) < until;
  return type === "Undo" && typesOf(object).some((undone) => UNDONE.has(undone));
};

/** The activities, each with those by which it is said under former names. */
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
