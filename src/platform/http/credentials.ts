// Describes who makes a request, as known by its bearer token.

import type { KnownViewer } from "../viewer.ts";

/** "active" when a user may act, otherwise why not. */
export type Standing = "active" | "unconfirmed" | "unapproved" | "disabled" | "moved" | "suspended";

type Facts = Record<"suspended" | "confirmed" | "approved" | "disabled" | "moved", boolean | null>;

/** What hinders most comes first. */
export const standingOf = (row: Facts): Standing => {
  if (row.suspended) return "suspended";
  if (!row.confirmed) return "unconfirmed";
  if (!row.approved) return "unapproved";
  if (row.disabled) return "disabled";
  return row.moved ? "moved" : "active";
};

export type CurrentUser = {
  userId: string;
  accountId: string;
  /** On whose behalf something is read. */
  person: KnownViewer;
  username: string;
  /** Role bits (contract: limits.json, role_permission_bits). */
  permissions: bigint;
  locale: string;
  /** The person's own settings, as stored. */
  settings: Readonly<Record<string, unknown>>;
  standing: Standing;
  /** Who uses the account in place of its person, without its password (people/identities/); null for the person. */
  by: { userId: string; accountId: string; kind: "identity" | "owner" | "author" } | null;
  /** True when several people use the account, whose acts are logged. */
  isShared: boolean;
};

export type Credentials = {
  tokenId: string;
  /** Session of the pages that the web client's token was given to; null for other apps. */
  sessionId: string | null;
  appId: string | null;
  scopes: string[];
  revoked: boolean;
  /** Null for a token that is valid until it is revoked. */
  expiresAt: Date | null;
  viewer: CurrentUser | null;
};

/** Finds the credentials of a bearer token, or null for an unknown one; without a promise where they are cached. */
export type Authenticate = (token: string) => Credentials | null | Promise<Credentials | null>;
