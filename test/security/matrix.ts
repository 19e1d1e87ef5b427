// The expected answer of each route to each kind of token: the contract's auth_matrix for the route's access rule, and
// the routes that differ.

import { shareOf } from "../fuzz.ts";
import type { Person, TestApp } from "../harness.ts";
import type { Route } from "./routes.ts";

export const KINDS = [
  "no token",
  "unknown",
  "revoked",
  "app",
  "wrong scope",
  "unconfirmed",
  "unapproved",
  "disabled",
  "moved",
  "suspended",
  "right",
] as const;
export type Kind = (typeof KINDS)[number];
/** Allowed statuses; "passes" is any but 401 and 403. */
export type Expected = number[] | "passes";

const REFUSED: Kind[] = ["unconfirmed", "unapproved", "disabled", "moved"];

const byAccess = ({ access }: Route, kind: Kind): Expected => {
  if (!access) return "passes";
  const isPublic = access.auth === "public";
  const isScoped = access.scopes.length > 0;
  if (kind === "right") return "passes";
  if (kind === "suspended") return [403];
  if (kind === "no token" || kind === "unknown") return isPublic ? "passes" : [401];
  if (kind === "revoked") return isPublic && !isScoped ? "passes" : [401];
  if (kind === "app") return access.auth === "user" ? [422] : "passes";
  if (kind === "wrong scope") return isScoped ? [403] : "passes";
  return access.auth === "user" && REFUSED.includes(kind) ? [403] : "passes";
};

type Row = Partial<Record<Kind, Expected>>;
const standing = (expected: Expected): Row => ({
  unconfirmed: expected,
  unapproved: expected,
  disabled: expected,
  moved: expected,
});

/** Routes with a row of their own in auth_matrix, and handlers that refuse more. */
const SPECIAL: Record<string, Row> = {
  "GET /api/v1/announcements": {
    "no token": [422],
    unknown: [422],
    revoked: [422],
    app: [422],
    ...standing([403]),
  },
  "GET /api/v1/accounts/:id/identity_proofs": {
    "no token": [422],
    unknown: [422],
    revoked: [422],
    app: [422],
    ...standing([403]),
  },
  // Its list may be restricted to signed-in people, who must be active.
  "GET /api/v1/instance/domain_blocks": standing([403]),
  "POST /api/v1/accounts": { right: [403], ...standing([403]), app: [403, 422] },
  "POST /api/v1/emails/confirmations": { app: [403], right: [403], ...standing([403]) },
  "GET /api/v1/emails/check_confirmation": { app: [401] },
  "GET /oauth/userinfo": { app: [401, 403, 422], ...standing([403]) },
  "POST /oauth/userinfo": { app: [401, 403, 422], ...standing([403]) },
};

const rowOf = ({ method, url }: Route): Row | undefined =>
  SPECIAL[`${method.replace("HEAD", "GET")} ${url}`];

export const wantedOf = (route: Route, kind: Kind): Expected =>
  rowOf(route)?.[kind] ?? byAccess(route, kind);

/** Kinds that handlers could let through by themselves; the others are refused by one hook. */
const BY_ROUTE: Kind[] = ["no token", "app", "wrong scope"];

/**
 * Returns the kinds with which a route is tried: those that depend on the route, and in turn one of the others, of which
 * a route that differs gets all (`npm run fuzz` tries everything).
 */
export const kindsFor = (route: Route, turn: number): Kind[] => {
  if (rowOf(route)) return [...KINDS];
  const others = KINDS.filter((kind) => !BY_ROUTE.includes(kind) && kind !== "right");
  return [...BY_ROUTE, ...shareOf(others, turn), "right"];
};

/** Scopes of a token without any that a route requires. */
const NO_SCOPE = ["write:bogus"];
const ALL = [
  "read",
  "write",
  "follow",
  "push",
  "profile",
  "crypto",
  "identities",
  "sharing",
  "admin:read",
  "admin:write",
];

export type Tokens = Record<Kind, string | null>;

/** Makes a person, or an app, for each kind of token. */
export const makeTokens = async (
  server: TestApp,
): Promise<{ tokens: Tokens; people: Map<Kind, Person> }> => {
  const people = new Map<Kind, Person>();
  const tokens: Tokens = Object.fromEntries(KINDS.map((kind) => [kind, null])) as Tokens;
  for (const kind of KINDS.slice(4)) {
    const scopes = kind === "wrong scope" ? NO_SCOPE : ALL;
    const person = await server.person(kind.replace(" ", "_"), { scopes });
    people.set(kind, person);
    tokens[kind] = person.token;
  }
  const id = (kind: Kind) => people.get(kind)!;
  // This person signed up by another app than the token's.
  const form = { client_name: "another", redirect_uris: "another:/app" };
  const { json: another } = await server.visitor.post("/api/v1/apps", new URLSearchParams(form));
  await server.write`
    UPDATE users SET confirmed_at = NULL, created_by_app_id = ${another.id}
    WHERE id = ${id("unconfirmed").userId}
  `;
  await server.write`UPDATE users SET approved = false WHERE id = ${id("unapproved").userId}`;
  await server.write`UPDATE users SET disabled = true WHERE id = ${id("disabled").userId}`;
  await server.write`UPDATE accounts SET moved_to_account_id = ${id("right").accountId} WHERE id = ${id("moved").accountId}`;
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${id("suspended").accountId}`;
  tokens["unknown"] = "nobody-ever-had-this";
  tokens["app"] = await server.token(null, ALL);
  tokens["revoked"] = await server.token(id("right").userId, ALL);
  await server.visitor.post("/oauth/revoke", new URLSearchParams({ token: tokens["revoked"] }));
  return { tokens, people };
};
