// Who makes a request: what is known by its bearer token.

/** Whether a user may act ("active"), or why not. */
export type Standing = "active" | "unconfirmed" | "unapproved" | "disabled" | "moved" | "suspended";

export type CurrentUser = {
  userId: string;
  accountId: string;
  username: string;
  /** Role bits (contract: limits.json, role_permission_bits). */
  permissions: bigint;
  locale: string;
  /** The person's own settings, as stored. */
  settings: Readonly<Record<string, unknown>>;
  standing: Standing;
  /** Who uses the account in the place of its person, without its password (people/identities/). */
  by: { userId: string; accountId: string; kind: "identity" | "owner" | "author" } | null;
  /** Several people use the account: what they do is in its log. */
  isShared: boolean;
};

export type Credentials = {
  tokenId: string;
  /** Of the web client: the session of the pages that the token was given to. */
  sessionId: string | null;
  appId: string | null;
  scopes: string[];
  revoked: boolean;
  /** Null: until it is revoked. */
  expiresAt: Date | null;
  viewer: CurrentUser | null;
};

/** Finds the credentials of a bearer token; null for an unknown one. Synchronous where they are cached. */
export type Authenticate = (token: string) => Credentials | null | Promise<Credentials | null>;
