// Says whom a reply mentions.

import type { StoredStatus } from "../store/store.ts";

/** Returns the mentions at its beginning: the author and whom they mentioned, without oneself. */
export const mentionsOf = (
  parent: Pick<StoredStatus, "account" | "mentions">,
  own: string,
): string => {
  const handles = [parent.account.acct, ...parent.mentions.map(({ acct }) => acct)];
  return [...new Set(handles)]
    .filter((acct) => acct !== own)
    .map((acct) => `@${acct} `)
    .join("");
};
