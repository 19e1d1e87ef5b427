// Makes the conditions of who may see a status for the SQL of every slice: the same rules as in rules.ts, which
// ask the same table (visibility.ts); visibility.test.ts compares the two. `s` is the alias of `statuses`.

import type { Db, Fragment } from "../../../platform/db/index.ts";
import { QUOTERS } from "../../people/accounts/policies.ts";
import { CLOSED, SAID } from "./rules.ts";
import { VISIBILITIES, VISIBILITY_COLUMNS, visibilitiesWith } from "./visibility.ts";
import type { Audience } from "./visibility.ts";

/** A viewer whose id is a value, or an expression of the statement such as a column of recipients. */
type SqlViewer =
  | { readonly kind: "nobody" }
  | { readonly kind: "person" | "actor"; readonly id: string | Fragment };

/** An alias other than those used here: b, f, m, o, v. */
type Alias = string;

/** Writes the values as literals, so that the planner finds the partial indexes, which have the same condition. */
const visibilityIn = (db: Db, s: Alias, ...rule: Parameters<typeof visibilitiesWith>): Fragment => {
  const list = visibilitiesWith(...rule).map((visibility) => `'${visibility}'`);
  const [only] = list;
  if (list.length === VISIBILITIES.length) return db`true`;
  return db.unsafe(
    list.length === 1 ? `${s}.visibility = ${only}` : `${s}.visibility IN (${list.join(", ")})`,
  );
};

/** Makes the condition that everybody of that audience may see the status, as far as its visibility decides. */
export const openTo = (db: Db, audience: Audience, s: Alias = "s"): Fragment =>
  visibilityIn(db, s, audience);

/** Makes the condition that other servers may get the status, if it is for somebody there. */
export const federates = (db: Db, s: Alias = "s"): Fragment => visibilityIn(db, s, "federated");

/** Makes the condition that the status is listed: on timelines and tags, in trends and search. */
export const listedPublicly = (db: Db, s: Alias = "s"): Fragment => visibilityIn(db, s, "listed");

/**
 * Makes the condition that the world may see the status, and that it is not listed; an index has the same condition.
 */
export const unlisted = (db: Db, s: Alias = "s"): Fragment => {
  const [listed] = visibilitiesWith("listed");
  return db`${openTo(db, "world", s)} AND ${db.unsafe(`${s}.visibility <> '${listed}'`)}`;
};

/** Makes the condition that the author's followers get the status. */
export const openToFollowers = (db: Db, s: Alias = "s"): Fragment =>
  visibilityIn(db, s, "followers");

/** Makes the condition that the status is a private mention; an index has the same condition. */
export const isDirect = (db: Db, s: Alias = "s"): Fragment => visibilityIn(db, s, "direct");

/** Makes the condition that the status is counted, for its author and for its target. */
export const isCounted = (db: Db, s: Alias = "s"): Fragment => visibilityIn(db, s, "direct", false);

/** Makes the condition that the status is for a circle. */
export const isCircle = (db: Db, s: Alias = "s"): Fragment => visibilityIn(db, s, "circle");

/** Lists the columns for a row type with VisibilityFacts. */
export const visibilityColumns = (db: Db): Fragment =>
  db.unsafe(VISIBILITY_COLUMNS.map((column) => `s.${column}`).join(", "));

/** `is` says whether the account with the id in that column is the viewer, who is `here` or `elsewhere`. */
const addressed = (
  db: Db,
  audience: Exclude<Audience, "world">,
  is: (column: Fragment) => Fragment,
  s: Alias,
  author: Fragment = db.unsafe(`${s}.account_id`),
): Fragment => {
  const at = db.unsafe(s);
  const named = db`(
      EXISTS (
        SELECT FROM mentions m WHERE m.status_id = ${at}.id AND ${is(db`m.account_id`)}
      )
      OR ${openToFollowers(db, s)} AND EXISTS (
        SELECT FROM follows f
        WHERE f.target_account_id = ${author} AND ${is(db`f.account_id`)}
      )
    )`;
  return db`(
    ${openTo(db, audience, s)}
    OR ${is(author)}
    OR ${audience === "here" ? named : db`${federates(db, s)} AND ${named}`}
  )`;
};

/**
 * Makes the condition that the status is addressed to the viewer (isAddressed of rules.ts). Where all statuses are by
 * one author, pass `author`, so that the follow is looked up once and not for each.
 */
export const addressedTo = (db: Db, viewer: SqlViewer, s: Alias = "s", author?: Fragment) => {
  if (viewer.kind === "nobody") return openTo(db, "world", s);
  const audience = viewer.kind === "person" ? "here" : "elsewhere";
  return addressed(db, audience, (column) => db`${column} = ${viewer.id}`, s, author);
};

/** Makes the condition that the status is addressed to an account of that server, which may therefore get it. */
export const addressedToServer = (db: Db, domain: string, s: Alias = "s"): Fragment =>
  addressed(
    db,
    "elsewhere",
    (column) => db`EXISTS (SELECT FROM accounts v WHERE v.id = ${column} AND v.domain = ${domain})`,
    s,
  );

/** Makes the condition that the account may reply to the local status, if it sees it (checkInteraction of rules.ts). */
export const mayReplyTo = (db: Db, accountId: Fragment, s: Alias = "s"): Fragment => {
  const [status, policy] = [db.unsafe(s), db.unsafe(`${s}.interaction_policy`)];
  const has = (bit: number): Fragment => db`${policy} & ${bit}::int <> 0`;
  return db`(
    NOT ${has(SAID)} OR ${has(QUOTERS.public)} OR ${status}.account_id = ${accountId}
    OR NOT ${has(CLOSED)} AND (
      ${status}.in_reply_to_account_id IS NOT DISTINCT FROM ${accountId} OR EXISTS (
        SELECT FROM mentions m WHERE m.status_id = ${status}.id AND m.account_id = ${accountId}
      )
    )
    OR ${has(QUOTERS.followers)} AND EXISTS (
      SELECT FROM follows f
      WHERE f.account_id = ${accountId} AND f.target_account_id = ${status}.account_id
    )
    OR ${has(QUOTERS.following)} AND EXISTS (
      SELECT FROM follows f
      WHERE f.account_id = ${status}.account_id AND f.target_account_id = ${accountId}
    )
  )`;
};

const inGoodStanding = (db: Db, s: Alias): Fragment => db`EXISTS (
  SELECT FROM accounts WHERE accounts.id = ${db.unsafe(s)}.account_id AND suspended_at IS NULL
)`;

const visible = (db: Db, viewer: SqlViewer, s: Alias): Fragment => {
  const isOut = db.unsafe(`NOT ${s}.awaits_approval`);
  if (viewer.kind === "nobody")
    return db`${openTo(db, "world", s)} AND ${isOut} AND ${inGoodStanding(db, s)}`;
  const author = db`${db.unsafe(s)}.account_id`;
  return db`${addressedTo(db, viewer, s)} AND ${inGoodStanding(db, s)}
    AND (${isOut} OR ${author} = ${viewer.id})
    AND NOT EXISTS (
      SELECT FROM blocks b WHERE b.account_id = ${author} AND b.target_account_id = ${viewer.id}
    )`;
};

/** Makes the condition that the viewer may see the status, and for a reblog both statuses (canSee of rules.ts). */
export const visibleTo = (db: Db, viewer: SqlViewer, s: Alias = "s"): Fragment => {
  const reblogOf = db`${db.unsafe(s)}.reblog_of_id`;
  return db`(${visible(db, viewer, s)} AND (${reblogOf} IS NULL OR EXISTS (
    SELECT FROM statuses o WHERE o.id = ${reblogOf} AND ${visible(db, viewer, "o")}
  )))`;
};

/**
 * Selects the status with this address: by the digest in the index (uri_key),
 * and by the address itself. Without the digest every status is read.
 */
export const hasUri = (db: Db, uri: string | Fragment, s: Alias = "s"): Fragment =>
  db`uri_key(${db.unsafe(s)}.uri) = uri_key(${uri}) AND ${db.unsafe(s)}.uri = ${uri}`;

/** Selects the statuses `s` with these addresses, for a FROM. */
export const statusesByUri = (db: Db, uris: string[]): Fragment => db`
  unnest(${[...new Set(uris)]}::text[]) AS by_uri (uri)
  JOIN statuses s ON ${hasUri(db, db`by_uri.uri`)}
`;

/** Selects the status with this address, or a remote one whose page has it. */
export const hasAddress = (db: Db, url: string): Fragment => db`(
  ${hasUri(db, url)}
  OR s.url = ${url} AND s.url <> s.uri AND NOT s.local
)`;

/**
 * Makes a Reaction from the columns of `r`: reaction, reaction_url, the account's uri, and count where they were
 * counted.
 */
export const reactionJson = (db: Db, r: Fragment) => db`json_build_object(
  'name', ${r}.reaction, 'uri', ${r}.uri, 'count', ${r}.count,
  'emoji', CASE WHEN ${r}.reaction_url IS NOT NULL THEN json_build_object(
    'shortcode', trim(both ':' from ${r}.reaction), 'url', ${r}.reaction_url, 'static_url', ${r}.reaction_url
  ) END
)`;

/** Selects the emoji with which an account favourited a status; null where there is none. */
export const reactionTo = (db: Db, accountId: Fragment, statusId: Fragment) => db`(
  SELECT ${reactionJson(db, db`r`)} FROM (
    SELECT f.reaction, f.reaction_url, a.uri, 1 AS count
    FROM favourites f JOIN accounts a ON a.id = f.account_id
    WHERE f.account_id = ${accountId} AND f.status_id = ${statusId} AND f.reaction IS NOT NULL
  ) AS r
)`;
