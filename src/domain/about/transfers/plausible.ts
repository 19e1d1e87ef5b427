// Decides whether a line fits the kind of its file, so that an error page, or a file of another kind, is not imported,
// and nothing is removed because of it.

import { Unprocessable } from "../../../platform/errors.ts";
import { httpUrl } from "../../../platform/json/read.ts";
import { says } from "../../../platform/text/texts.ts";
import { normaliseBlocked } from "../../people/relationships/block-domain.ts";
import { parseTypedTag } from "../../posts/tags/rules.ts";
import type { AnyEntry, Entry, Kind } from "./tables.ts";

/** Matches addresses of posts as servers of each kind write them; that of a profile has nothing after the name. */
const OF_POST =
  /\/(?:statuses|objects|notice|notes|posts?|p|comment|videos\/watch)\/[^/]+\/?$|\/@[^/]+\/\d+\/?$/i;

const isProfile = (address: string | null): boolean =>
  address !== null && !OF_POST.test(new URL(address).pathname);

/** Accepts a name with its host, or a short name of this server, or the address of a profile. */
const isHandle = (acct: string): boolean =>
  /^(?:\w+|[^\s@/:;,<>"'(){}=\p{Cc}]+@[^\s@/;,<>"'(){}=\p{Cc}]+)$/u.test(acct) ||
  isProfile(httpUrl(acct));

const byHandle = ({ acct }: { acct: string }): boolean => isHandle(acct);
const byTag = ({ name }: { name: string }): boolean => parseTypedTag(name) !== null;

const PLAUSIBLE: { [K in Kind]: (entry: Entry[K]) => boolean } = {
  following: byHandle,
  blocks: byHandle,
  mutes: byHandle,
  lists: byHandle,
  account_notes: byHandle,
  // A handle is no domain.
  domain_blocks: ({ domain }) => !domain.includes("@") && normaliseBlocked(domain) !== null,
  bookmarks: ({ uri }) => httpUrl(uri) !== null,
  followed_tags: byTag,
  muted_tags: byTag,
  saved_searches: ({ q }) => !/^<|\p{Cc}/u.test(q),
  filters: ({ title, keywords_attributes: keywords }) => title !== "" || keywords.length > 0,
};

/** Lines for each of which one may fail, where entries that are not in the file are removed. */
export const LINES_FOR_A_FAULT = 10;

/** Returns whether too many lines failed for anything to be removed. */
export const tooManyFailed = (failed: number, total: number): boolean =>
  failed * LINES_FOR_A_FAULT > total;

/**
 * Throws 422 where most lines do not fit the kind; with `overwrite`, where more than a tenth do not. `unread` counts
 * lines of which nothing was read.
 */
export const checkPlausible = (
  kind: Kind,
  entries: AnyEntry[],
  unread: number,
  overwrite: boolean,
): void => {
  const isPlausible = PLAUSIBLE[kind] as (entry: AnyEntry) => boolean;
  const total = entries.length + unread;
  const faults = unread + entries.filter((entry) => !isPlausible(entry)).length;
  if (faults * 2 > total) throw new Unprocessable(says("import.unreadable"));
  if (overwrite && tooManyFailed(faults, total)) {
    throw new Unprocessable(says("import.overwrite_unreadable", { count: faults }));
  }
};
