// Says whether a post may be quoted, by its `quote_approval` for the viewer, and why not.

import type { Status } from "../api/entities.ts";
import type { Key } from "../texts/texts.ts";

type Quotable = Pick<Status, "visibility" | "quote_approval">;

/** Returns null when it may be quoted, perhaps once its author approves. */
export const quoteRefusal = ({ visibility, quote_approval }: Quotable): Key | null => {
  if (visibility === "direct") return "quoting.private_mention";
  const { automatic, manual, current_user: right } = quote_approval;
  if (right !== "denied") return null;
  if (visibility === "private") return "quoting.not_public";
  const allowed = [...automatic, ...manual];
  if (allowed.length === 0) return "quoting.nobody";
  if (allowed.includes("followers")) return "quoting.followers";
  return allowed.includes("following") ? "quoting.following" : "quoting.denied";
};
