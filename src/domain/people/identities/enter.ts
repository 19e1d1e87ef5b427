// Using another account without its password, because it is linked with the person's own.

import type { App } from "../../../platform/app.ts";
import { findPerson } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { selectAccess } from "./queries.ts";
import type { AccessRow } from "./queries.ts";

export type { AccessRow };

/** Who signed in with a password: whatever is used from that session is used by this person. */
export const personOf = ({ userId, personId }: SignedIn): string => personId ?? userId;

/** What this session may use besides its account; nothing is asked where there is nothing. */
export const accessFrom = async (app: App, who: SignedIn): Promise<AccessRow[]> =>
  who.enters
    ? (await selectAccess(app.sql, personOf(who))).filter(({ user_id }) => user_id !== who.userId)
    : [];

/**
 * The account that this session may use, as it is signed in to then; null for any other. Nobody gets around a second
 * factor: where the account has one, the person's own must have one too.
 */
export const entered = async (
  app: App,
  who: SignedIn,
  accountId: string,
): Promise<SignedIn | null> => {
  const rows = await accessFrom(app, who);
  const row = rows.find(
    ({ account_id, needs_factor }) => account_id === accountId && !needs_factor,
  );
  const person = row && (await findPerson(app, row.user_id));
  return person ? { ...person, accessId: row.id, personId: personOf(who), enters: true } : null;
};
