// Who may see a post, who may answer and quote it, as the API names it.

import type { ScheduledStatus, Status } from "./entities.ts";

/** As the API takes it: what stays on this server, and what is for a circle, has names of its own. */
export type Visibility = Status["visibility"] | "local" | "local_followers" | "circle";
type Seen = { visibility: Visibility; local_only?: boolean; circle?: boolean };

/** From the widest to the narrowest. */
export const VISIBILITIES: readonly Visibility[] = [
  "public",
  "unlisted",
  "local",
  "private",
  "local_followers",
  "circle",
  "direct",
];

/** Those that other servers get, too: one of them is a person's default. */
export const USUAL: readonly Visibility[] = ["public", "unlisted", "private", "direct"];

/** Of a post: the API answers the nearest that every app knows. */
export const visibilityOf = ({ visibility, local_only: stays, circle }: Seen): Visibility => {
  if (circle) return "circle";
  if (!stays) return visibility;
  return visibility === "private" ? "local_followers" : "local";
};

/** Of a scheduled post: what it says exactly, where not every app knows the word. */
export const scheduledVisibility = ({
  visibility,
  audience,
}: ScheduledStatus["params"]): Visibility => audience ?? visibility;

const stays = (visibility: Visibility): boolean => visibility.startsWith("local");

/** What may be chosen where nobody wider is meant; what answers a post that stays here stays here. */
export const visibilitiesFrom = (widest: Visibility): readonly Visibility[] =>
  VISIBILITIES.slice(VISIBILITIES.indexOf(widest)).filter(
    (each) => !stays(widest) || stays(each) || each === "direct",
  );

/** The narrower one of two, of those that may be chosen. */
export const narrower = (visibility: Visibility, other: Visibility): Visibility =>
  visibilitiesFrom(visibility).find(
    (each) => VISIBILITIES.indexOf(each) >= VISIBILITIES.indexOf(other),
  ) ?? visibility;

/** Anybody may see it, without an account here. */
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

/** Who may answer, as its author chose it; also of posts of other servers, where the widest group counts. */
export const replyPolicyOf = ({ reply_approval: approval }: Answerable): ReplyPolicy => {
  if (!approval) return "public";
  return REPLY_POLICIES.find((each) => approval.automatic.includes(each as never)) ?? "nobody";
};

/** Nobody knows better than its server: only a clear no is shown as one. */
export const mayReply = ({ reply_approval: approval }: Answerable): boolean =>
  approval?.current_user !== "denied";
