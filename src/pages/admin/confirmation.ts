// The page that asks before an act of the staff that takes something away (confirmations.ts has the questions). How it
// asks follows from what is lost: once for what comes back, by a typed word for what is gone for good or concerns many.

import type { Inline } from "../../../web/src/served/part-pages.ts";

/** `back`: it comes back when the act is undone, or can be made again. `gone`: it is deleted for good. */
type Loss = "nothing" | "back" | "gone";

/** What each act takes away. */
export const LOSSES = {
  approve: "nothing",
  decide: "nothing",
  resolve: "nothing",
  none: "nothing",
  mark_statuses_as_sensitive: "nothing",
  sensitive: "nothing",
  reject: "back",
  discard: "back",
  silence: "back",
  suspend: "back",
  disable: "back",
  end_access: "back",
  open_sign_ups: "back",
  remove: "back",
  stop_deliveries: "back",
  block_server: "back",
  disable_emojis: "back",
  delete_emojis: "gone",
  delete_posts: "gone",
  delete_account: "gone",
  end_follows: "gone",
} as const satisfies Record<string, Loss>;

type Named = {
  act: keyof typeof LOSSES;
  /** What is typed to confirm the loss of one thing for good. */
  name?: string;
  /** Number of things concerned, one without it. */
  count?: number;
};

export type Confirmation = Named & {
  title: string;
  /** Lines that say what is deleted, or what follows; without dates, as questions are kept as JSON. */
  lines: Inline[];
  /** Label of the button. */
  label: string;
};

/** Returns what has to be typed first: the number of several things, or the name of one that is gone for good. */
export const wordOf = ({ act, name, count = 1 }: Named): string | undefined => {
  const loss = LOSSES[act];
  if (count > 1 && loss !== "nothing") return String(count);
  return loss === "gone" ? name : undefined;
};
