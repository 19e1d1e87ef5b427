// Several entries of a page at once: boxes to tick beside them, and one form for the ticked ones, or for all.

import { entered } from "./frame.ts";
import type { Staff } from "./frame.ts";

/** Kind of the entries, which begins the names of the boxes. */
type Kind = "account" | "post";

/** Returns the ids ticked in the form that was sent. */
export const tickedIds = (staff: Staff, kind: Kind): string[] => {
  const { all, listed = "", ...fields } = entered(staff);
  if (all === "1") return listed.match(/\d+/g) ?? [];
  return Object.keys(fields).flatMap((name) => {
    const [prefix, id = ""] = name.split("_", 2);
    return prefix === kind && /^\d+$/.test(id) ? [id] : [];
  });
};

/** Returns the shortcodes of ticked emojis, at most those of a page. */
export const tickedEmojis = (context: Staff): string[] =>
  Object.entries(entered(context)).flatMap(([name, value]) =>
    name.startsWith("emoji_") && value === "1" ? [name.slice("emoji_".length)] : [],
  );
