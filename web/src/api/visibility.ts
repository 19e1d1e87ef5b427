// Who may see a post, and who may quote it, as the API names it.

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
