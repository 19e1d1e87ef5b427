// Judges who comes from a provider: known here, to be linked, new, or not let in. A provider's sign-in leads to the
// same session as a password does; everything here is decided over an Identity, whatever the protocol.

import type { Identity, SignIn } from "#sso";
import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { Forbidden } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { seal } from "../../../platform/seal.ts";
import { noticeOf } from "../users/security-notices.ts";
import { endAll } from "./leave.ts";
import {
  insertIdentity,
  selectByAddress,
  selectIdentity,
  selectIsAddressTaken,
  updateIdentity,
} from "./queries.ts";
import { keepRole } from "./roles.ts";
import { tokenPurpose } from "./sessions.ts";
import { told } from "./told.ts";
import { mayEnter } from "./rules.ts";
import type { IdentityRow, Source } from "./tables.ts";

export type Entry = { kind: "known"; userId: string; identityId: string } | { kind: "new" };

/** Stores what a sign-in or a later question says about somebody. */
export const keepInStep = async (
  app: App,
  tx: Db,
  row: Pick<IdentityRow, "id" | "user_id">,
  provider: Source,
  { identity, grant }: SignIn,
): Promise<void> => {
  const now = app.clock.now();
  const lasting = grant.isLasting ? grant.refreshToken : null;
  await updateIdentity(tx, row.id, {
    email: identity.email,
    ...(lasting !== null && {
      sealed_token: seal(app, tokenPurpose(identity), lasting),
      checked_at: now,
    }),
  });
  await keepRole(app, tx, row.user_id, provider, identity);
};

/**
 * Throws Forbidden for whom the provider has put out, or its groups do not let in, and ends what such a person still
 * has here; returns the sign-in with all groups that the provider told of.
 */
const requireEntry = async (app: App, provider: Source, came: SignIn) => {
  const { signIn, isKnown, isOut } = await told(app.sql, came);
  const { identity } = signIn;
  if (!isOut && mayEnter(provider.settings, identity)) return { signIn, isKnown };
  const row = await selectIdentity(app.sql, identity.issuer, identity.subject);
  if (row) await endAll(app, row, provider.name);
  throw new Forbidden(says(isOut ? "sso.out" : "sso.not_let_in", { provider: provider.name }));
};

const add = async (
  app: App,
  tx: Db,
  userId: string,
  provider: Source,
  signIn: SignIn,
): Promise<string | null> => {
  const { issuer, subject, email } = signIn.identity;
  const created_at = app.clock.now();
  const id = await insertIdentity(tx, { user_id: userId, issuer, subject, email, created_at });
  if (id) await keepInStep(app, tx, { id, user_id: userId }, provider, signIn);
  return id;
};

/** Adds the way that made the account, of which nobody needs a mail. */
export const addFirst = async (
  app: App,
  tx: Db,
  userId: string,
  provider: Source,
  came: SignIn,
): Promise<string | null> => {
  const { signIn, isOut } = await told(tx, came);
  if (isOut) throw new Forbidden(says("sso.out"));
  return add(app, tx, userId, provider, signIn);
};

/** Adds a way to an account that was there before, and mails its person. */
const addAnother = async (app: App, userId: string, provider: Source, signIn: SignIn) =>
  app.sql.begin(async (tx) => {
    const id = await add(app, tx, userId, provider, signIn);
    if (id) await noticeOf(app, tx, userId, "way-added", provider.name);
    return id;
  });

/** Links an account to whom its own person is at the provider. Throws Forbidden where that is another account's. */
export const link = async (
  app: App,
  userId: string,
  provider: Source,
  came: SignIn,
): Promise<string> => {
  const { signIn } = await requireEntry(app, provider, came);
  const { issuer, subject } = signIn.identity;
  const id = await addAnother(app, userId, provider, signIn);
  const row = id ? null : await selectIdentity(app.sql, issuer, subject);
  if (row && row.user_id !== userId)
    throw new Forbidden(says("sso.of_other", { provider: provider.name }));
  return id ?? row!.id;
};

/** Returns the account that a verified address may be linked to, where the staff believes the provider's addresses. */
const addressed = async (app: App, { settings, issuer }: Source, identity: Identity) => {
  const { email, emailVerified } = identity;
  return settings.linksByEmail && emailVerified && email
    ? selectByAddress(app.sql, email, issuer)
    : null;
};

/** Throws Forbidden for people whom the rules do not let in. */
export const enter = async (app: App, provider: Source, came: SignIn): Promise<Entry> => {
  const { signIn, isKnown } = await requireEntry(app, provider, came);
  const { identity } = signIn;
  const row = await selectIdentity(app.sql, identity.issuer, identity.subject);
  if (row) {
    await app.sql.begin(async (tx) => {
      await keepInStep(app, tx, row, provider, signIn);
      await updateIdentity(tx, row.id, { used_at: app.clock.now() });
    });
    return { kind: "known", userId: row.user_id, identityId: row.id };
  }
  const userId = await addressed(app, provider, identity);
  const identityId = userId && (await addAnother(app, userId, provider, signIn));
  if (identityId) return { kind: "known", userId, identityId };
  if (!provider.settings.signsUp && !isKnown)
    throw new Forbidden(says("sso.no_account", { provider: provider.name }));
  return { kind: "new" };
};

/** Whether an account has the address that the provider vouches for; it is linked by signing in to it. */
export const hasAccount = async (app: App, { email, emailVerified }: Identity): Promise<boolean> =>
  emailVerified && email !== null && selectIsAddressTaken(app.sql, email);
