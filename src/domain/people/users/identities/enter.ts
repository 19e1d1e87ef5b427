// Lets people use another account without its password: one that is linked with their own, or shared with them.

import type { App } from "../../../../platform/app.ts";
import { Forbidden } from "../../../../platform/errors.ts";
import { says } from "../../../../platform/text/texts.ts";
import { findPerson } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { selectAccess } from "./queries.ts";
import type { AccessRow } from "./queries.ts";

export type { AccessRow };

/** Returns the user who signed in with a password, who is responsible for whatever is used from that session. */
export const personOf = ({ userId, personId }: SignedIn): string => personId ?? userId;

/** Returns whether somebody uses an account that is shared with them. */
export const isMember = ({ accessKind }: SignedIn): boolean =>
  accessKind === "owner" || accessKind === "author";

/** Returns whether an account is shared with somebody who does not decide about it as a whole, as its owners do. */
export const isAuthor = ({ accessKind }: SignedIn): boolean => accessKind === "author";

/** Throws Forbidden for authors. */
export const checkOwner = (who: SignedIn): void => {
  if (isAuthor(who)) throw new Forbidden(says("sharing.owners_only"));
};

/** Returns what the person of this session may use besides the account, or is invited to. */
export const everyAccessFrom = async (app: App, who: SignedIn): Promise<AccessRow[]> =>
  who.enters
    ? (await selectAccess(app.sql, personOf(who))).filter(({ user_id }) => user_id !== who.userId)
    : [];

/** Returns shared accounts that somebody uses or is invited to, without linked ones. */
export const sharedWith = async (app: App, { userId }: SignedIn) =>
  (await selectAccess(app.sql, userId)).flatMap(({ kind, ...row }) =>
    kind === "identity" ? [] : [{ ...row, role: kind }],
  );

/** Leaves out invitations. */
export const accessFrom = async (app: App, who: SignedIn): Promise<AccessRow[]> =>
  (await everyAccessFrom(app, who)).filter(({ accepted_at }) => accepted_at !== null);

/**
 * Returns the account that this session may use, as signed in to it; null for any other. A second factor cannot be
 * circumvented: where the account has one, the person's own must have one too.
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
  return person
    ? { ...person, accessId: row.id, accessKind: row.kind, personId: personOf(who), enters: true }
    : null;
};
