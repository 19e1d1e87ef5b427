// Defines who may see, reply to and quote a post, as the API names it.

import type { ScheduledStatus, Status } from "./entities.ts";

/** Visibilities as the API takes them: posts that stay on this server, or are for a circle, have names of their own. */
export type Visibility = Status["visibility"] | "local" | "local_followers" | "circle";
type Seen = { visibility: Visibility; local_only?: boolean; circle?: boolean };

/** Visibilities from the widest to the narrowest. */
export const VISIBILITIES: readonly Visibility[] = [
  "public",
  "unlisted",
  "local",
  "private",
  "local_followers",
  "circle",
  "direct",
];

/** Visibilities of posts that other servers get, too; one of them is a person's default. */
export const USUAL: readonly Visibility[] = ["public", "unlisted", "private", "direct"];

/** Returns the exact visibility of a post: the API's own member has the nearest value that every app knows. */
export const visibilityOf = ({ visibility, local_only: stays, circle }: Seen): Visibility => {
  if (circle) return "circle";
  if (!stays) return visibility;
  return visibility === "private" ? "local_followers" : "local";
};

/** Returns the exact visibility of a scheduled post, also where not every app knows the word. */
export const scheduledVisibility = ({
  visibility,
  audience,
}: ScheduledStatus["params"]): Visibility => audience ?? visibility;

const stays = (visibility: Visibility): boolean => visibility.startsWith("local");

/** Returns the visibilities that are not wider; a reply to a post that stays here stays here. */
export const visibilitiesFrom = (widest: Visibility): readonly Visibility[] =>
  VISIBILITIES.slice(VISIBILITIES.indexOf(widest)).filter(
    (each) => !stays(widest) || stays(each) || each === "direct",
  );

/** Returns the narrower of two visibilities that may be chosen. */
export const narrower = (visibility: Visibility, other: Visibility): Visibility =>
  visibilitiesFrom(visibility).find(
    (each) => VISIBILITIES.indexOf(each) >= VISIBILITIES.indexOf(other),
  ) ?? visibility;

/** Whether anybody may see it, without an account here. */
export const isOpenToAll = ({ visibility, local_only: stays }: Seen): boolean =>
  !stays && (visibility === "public" || visibility === "unlisted");

export type QuotePolicy = "public" | "followers" | "nobody";
export const QUOTE_POLICIES: readonly QuotePolicy[] = ["public", "followers", "nobody"];

export type ReplyPolicy = "public" | "followers" | "following" | "mentioned" | "nobody";
export const REPLY_POLICIES: readonly ReplyPolicy[] = [
  "public",
  "followers",
  "following",
  "mentioned",
  "nobody",
];

type Answerable = Pick<Status, "reply_approval">;

/** Returns who may reply, as the author chose; of remote policies the widest group counts. */
export const replyPolicyOf = ({ reply_approval: approval }: Answerable): ReplyPolicy => {
  if (!approval) return "public";
  return REPLY_POLICIES.find((each) => approval.automatic.includes(each as never)) ?? "nobody";
};

/** Whether the member may reply. Only a clear no of the server counts, since nobody knows better. */
export const mayReply = ({ reply_approval: approval }: Answerable): boolean =>
  approval?.current_user !== "denied";
