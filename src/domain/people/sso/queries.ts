// All SQL of providers and of who people are there.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, hasRows, valuesOf } from "../../../platform/db/rows.ts";
import type { BegunSession, IdentityRow, ProviderRow } from "./tables.ts";

export const selectProviders = (db: Db) => db<ProviderRow[]>`
  SELECT * FROM sso_providers ORDER BY id
`;

export const selectProvider = (db: Db, id: string): Promise<ProviderRow | null> =>
  firstRow(db<ProviderRow[]>`SELECT * FROM sso_providers WHERE id = ${id}`);

/** Selects one that nobody else changes before the transaction ends. */
export const lockProvider = (db: Db, id: string): Promise<ProviderRow | null> =>
  firstRow(db<ProviderRow[]>`SELECT * FROM sso_providers WHERE id = ${id} FOR UPDATE`);

export const selectIdentity = (db: Db, issuer: string, subject: string) =>
  firstRow(db<IdentityRow[]>`
    SELECT * FROM sso_identities WHERE issuer = ${issuer} AND subject = ${subject}
  `);

export const selectIdentitiesOf = (db: Db, userId: string) => db<IdentityRow[]>`
  SELECT * FROM sso_identities WHERE user_id = ${userId} ORDER BY id
`;

export const selectIsAt = (db: Db, userId: string, issuer: string): Promise<boolean> =>
  hasRows(db`SELECT FROM sso_identities WHERE user_id = ${userId} AND issuer = ${issuer}`);

type NewIdentity = Pick<IdentityRow, "user_id" | "issuer" | "subject" | "email" | "created_at">;

/** Returns null where somebody has it. */
export const insertIdentity = (db: Db, identity: NewIdentity) =>
  firstValue(db<{ id: string }[]>`
    INSERT INTO sso_identities ${db(identity)} ON CONFLICT (issuer, subject) DO NOTHING
    RETURNING id
  `);

type IdentityChange = Partial<
  Pick<IdentityRow, "email" | "sealed_token" | "checked_at" | "used_at">
>;

export const updateIdentity = (db: Db, id: string, change: IdentityChange) => db`
  UPDATE sso_identities SET ${db(change)} WHERE id = ${id}
`;

/**
 * Selects who may be linked by a verified address: somebody who has confirmed it, is nobody else at the provider, whose
 * address may have moved on, and has no power that a provider could take over with it.
 */
export const selectByAddress = (db: Db, email: string, issuer: string) =>
  firstValue(db<{ id: string }[]>`
    SELECT id FROM users u
    WHERE email = ${email} AND confirmed_at IS NOT NULL AND role_id = -99
      AND NOT EXISTS (SELECT FROM sso_identities i WHERE i.user_id = u.id AND i.issuer = ${issuer})
  `);

export const selectIsAddressTaken = (db: Db, email: string): Promise<boolean> =>
  hasRows(db`SELECT FROM users WHERE email = ${email}`);

/** Selects issuers other than these whose people have no password; steps from issuer to issuer in the index. */
export const selectGoneIssuers = (db: Db, known: readonly string[]): Promise<string[]> =>
  valuesOf(db<{ issuer: string }[]>`
    WITH RECURSIVE every AS (
      SELECT min(issuer) AS issuer FROM sso_identities
      UNION ALL
      SELECT (SELECT min(issuer) FROM sso_identities WHERE issuer > every.issuer) FROM every
      WHERE every.issuer IS NOT NULL
    )
    SELECT issuer FROM every
    WHERE issuer <> ALL(${known as string[]}) AND EXISTS (
      SELECT FROM sso_identities i JOIN users u ON u.id = i.user_id AND u.password_hash IS NULL
      WHERE i.issuer = every.issuer
    )
  `);

type NewSession = {
  session_id: string;
  identity_id: string;
  provider_session: string | null;
  sealed_id_token: Buffer | null;
};

export const insertSession = (db: Db, session: NewSession) =>
  db`INSERT INTO sso_sessions ${db(session)}`;

export type Holder = { account_id: string; username: string; role_id: string };

export const selectHolder = (db: Db, userId: string) =>
  firstRow(db<Holder[]>`
    SELECT u.account_id, a.username, u.role_id FROM users u JOIN accounts a ON a.id = u.account_id
    WHERE u.id = ${userId}
  `);

/** Selects how a provider began a session; nothing for others. */
export const selectBegun = (db: Db, sessionId: string) =>
  firstRow(db<BegunSession[]>`
    SELECT s.session_id, i.issuer, s.sealed_id_token
    FROM sso_sessions s JOIN sso_identities i ON i.id = s.identity_id
    WHERE s.session_id = ${sessionId}
  `);

/** Selects the issuer that a token of SCIM is for. */
export const selectTokenIssuer = (db: Db, hash: Buffer) =>
  firstValue(db<{ issuer: string }[]>`
    SELECT issuer FROM scim_tokens WHERE token_hash = ${hash}
  `);

/** Selects what a provider told of somebody, also that it deleted them; nothing where it told nothing. */
export const selectTold = (db: Db, issuer: string, subject: string) =>
  firstRow(db<{ active: boolean; groups: string[] }[]>`
    SELECT active, array(
      SELECT g.display_name FROM scim_members m JOIN scim_groups g ON g.id = m.group_id
      WHERE m.user_id = u.id
    ) AS groups
    FROM scim_users u WHERE issuer = ${issuer} AND external_id = ${subject}
    UNION ALL
    SELECT false, '{}' FROM sso_identities
    WHERE issuer = ${issuer} AND subject = ${subject} AND ended_at IS NOT NULL
  `);

/** Whether a provider has said that this person is out; owners are not for it to end. */
export const selectIsOut = (db: Db, userId: string): Promise<boolean> =>
  hasRows(db`
    SELECT FROM sso_identities i JOIN users u ON u.id = i.user_id AND u.role_id <> 3
    WHERE i.user_id = ${userId} AND (i.ended_at IS NOT NULL OR EXISTS (
      SELECT FROM scim_users s
      WHERE s.issuer = i.issuer AND s.external_id = i.subject AND NOT s.active
    ))
  `);

/** Returns false where it is there already. */
export const insertAssertion = (db: Db, digest: Buffer, expires_at: Date): Promise<boolean> =>
  hasRows(db`
    INSERT INTO sso_assertions ${db({ digest, expires_at })} ON CONFLICT DO NOTHING RETURNING 1
  `);
