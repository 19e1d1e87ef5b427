// Who may see a post, who may answer and quote it, as the API names it.

import type { Status } from "./entities.ts";

export type Visibility = Status["visibility"];
type Seen = Pick<Status, "visibility">;

/** From the widest to the narrowest. */
export const VISIBILITIES: readonly Visibility[] = ["public", "unlisted", "private", "direct"];

/** The narrower one of two. */
export const narrower = (visibility: Visibility, other: Visibility): Visibility =>
  VISIBILITIES.indexOf(visibility) > VISIBILITIES.indexOf(other) ? visibility : other;

/** Anybody may see it, without an account here. */
export const isOpenToAll = ({ visibility }: Seen): boolean =>
  visibility === "public" || visibility === "unlisted";

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
