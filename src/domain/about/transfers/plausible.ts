// Whether a line can be what its file is said to hold: an error page, or a file of another kind, is not imported, and
// nothing is removed for it.

import { Unprocessable } from "../../../platform/errors.ts";
import { httpUrl } from "../../../platform/json/read.ts";
import { says } from "../../../platform/text/texts.ts";
import { normaliseBlocked } from "../../people/relationships/block-domain.ts";
import { parseTypedTag } from "../../posts/tags/rules.ts";
import type { AnyEntry, Entry, Kind } from "./tables.ts";

/** As servers of each kind write the address of a post; that of a profile has nothing behind the name. */
const OF_POST =
  /\/(?:statuses|objects|notice|notes|posts?|p|comment|videos\/watch)\/[^/]+\/?$|\/@[^/]+\/\d+\/?$/i;

const isProfile = (address: string | null): boolean =>
  address !== null && !OF_POST.test(new URL(address).pathname);

/** A name with its host, or of this server, where names are of few letters; or the address of a profile. */
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
  // A handle is not its server.
  domain_blocks: ({ domain }) => !domain.includes("@") && normaliseBlocked(domain) !== null,
  bookmarks: ({ uri }) => httpUrl(uri) !== null,
  followed_tags: byTag,
  muted_tags: byTag,
  saved_searches: ({ q }) => !/^<|\p{Cc}/u.test(q),
  filters: ({ title, keywords_attributes: keywords }) => title !== "" || keywords.length > 0,
};

/** Of so many lines, one may fail where what is not in the file is removed. */
export const LINES_FOR_A_FAULT = 10;

/** Whether too many lines failed for anything to be removed. */
export const tooManyFailed = (failed: number, total: number): boolean =>
  failed * LINES_FOR_A_FAULT > total;

/**
 * 422 where most lines say nothing that the kind could be; with `overwrite`, where more than a tenth does. `unread`:
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
