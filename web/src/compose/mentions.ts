// Whom an answer mentions.

import type { StoredStatus } from "../store/store.ts";

/** At its begin: the author and whom they mentioned, not oneself. */
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
