// SQL of sessions: who is signed in on which browsers, by which cookies.

import { deleteSlice } from "../../../platform/db/delete-older.ts";
import type { Db } from "../../../platform/db/index.ts";
import { onlyValue } from "../../../platform/db/rows.ts";
import { signInColumns } from "./queries.ts";
import type { SignInRow } from "./queries.ts";

/** Access by which a session was started, and by whom; null where it was with the account's own password. */
type SessionAccess = {
  access_id: string | null;
  access_kind: "identity" | "owner" | "author" | null;
  person_id: string | null;
  /** Whether several people use the account. */
  is_shared: boolean;
  /** Whether there are other accounts that this person uses without a password. */
  enters: boolean;
  began_at: Date;
};

export type SessionSignInRow = SignInRow & SessionAccess;

const accessColumns = (db: Db) => db`
  s.created_at AS began_at, s.access_id, x.kind AS access_kind, x.person_id,
  EXISTS (SELECT FROM account_access e WHERE e.user_id = u.id AND e.kind <> 'identity') AS is_shared,
  EXISTS (SELECT FROM account_access e WHERE e.person_id = coalesce(x.person_id, u.id)) AS enters
`;

/** Joins sessions, their accounts, and the people who use those by a link. */
const sessionsWithPeople = (db: Db) => db`
  FROM sessions s
  JOIN users u ON u.id = s.user_id
  JOIN accounts a ON a.id = u.account_id
  LEFT JOIN account_access x ON x.id = s.access_id
  LEFT JOIN users p ON p.id = x.person_id
  LEFT JOIN accounts pa ON pa.id = p.account_id
`;

/** Joins sessions with their people, without those of people whom the staff disabled, in whatever account. */
const liveSessions = (db: Db, usedAfter: Date) => db`
  ${sessionsWithPeople(db)}
  WHERE s.used_at > ${usedAfter} AND p.disabled IS NOT TRUE AND pa.suspended_at IS NULL
`;

/** Selects sessions that exist for these hashes. */
export const selectSessionsOf = (db: Db, hashes: readonly Buffer[], usedAfter: Date) =>
  db<(SessionSignInRow & { token_hash: Buffer; used_at: Date; session_id: string })[]>`
    SELECT ${signInColumns(db)}, ${accessColumns(db)}, s.token_hash, s.used_at, s.id AS session_id
    ${liveSessions(db, usedAfter)} AND s.token_hash = ANY(ARRAY(
      SELECT decode(hash, 'hex') FROM unnest(${hashes.map((hash) => hash.toString("hex"))}::text[]) AS h (hash)
    ))
  `;

type NewSession = {
  token_hash: Buffer;
  user_id: string;
  access_id: string | null;
  ip: string | null;
  user_agent: string | null;
  created_at: Date;
  used_at: Date;
};

export const insertSession = (db: Db, session: NewSession): Promise<string> =>
  onlyValue(db<{ id: string }[]>`INSERT INTO sessions ${db(session)} RETURNING id`);

export const updateSessionUse = (db: Db, hash: Buffer, at: Date) =>
  db`UPDATE sessions SET used_at = ${at} WHERE token_hash = ${hash}`;

/** Queries that end sessions return which, because the tokens that they gave end with them. */
type EndedSession = { id: string };

export const deleteSessions = (db: Db, hashes: readonly Buffer[]) =>
  db<EndedSession[]>`
    DELETE FROM sessions WHERE token_hash IN ${db(hashes)} RETURNING id
  `;

/** Selects sessions of the person's account, and those in which the person uses other accounts. */
const ofPerson = (db: Db, userId: string) => db`(user_id = ${userId} OR access_id IN (
  SELECT id FROM account_access WHERE person_id = ${userId}
))`;

export const deleteSessionsOf = (db: Db, userId: string) =>
  db<EndedSession[]>`DELETE FROM sessions WHERE ${ofPerson(db, userId)} RETURNING id`;

export const deleteSessionsOfAccess = (db: Db, accessIds: readonly string[]) =>
  db<EndedSession[]>`DELETE FROM sessions WHERE access_id = ANY(${accessIds}) RETURNING id`;

export const deleteSessionsIn = (db: Db, ids: readonly string[]) =>
  db<EndedSession[]>`DELETE FROM sessions WHERE id = ANY(${ids}) RETURNING id`;

/** Works as deleteSlice. */
export const deleteSessionsBefore = (db: Db, usedBefore: Date) =>
  deleteSlice<EndedSession>(db, "sessions", db`used_at < ${usedBefore} ORDER BY used_at`, db`id`);

export type SessionRow = {
  id: string;
  ip: string | null;
  user_agent: string | null;
  created_at: Date;
  used_at: Date;
  current: boolean;
  /** Username of the account that the person uses in this session, where it is another. */
  of: string | null;
  /** Username of the person who uses this account in it, where it is another. */
  by: string | null;
};

/** Selects sessions that have not expired, the latest used first. */
export const selectSessions = (db: Db, userId: string, usedAfter: Date, current: Buffer) => db<
  SessionRow[]
>`
  SELECT s.id, host(s.ip) AS ip, s.user_agent, s.created_at, s.used_at, s.token_hash = ${current} AS current,
    CASE WHEN s.user_id <> ${userId} THEN a.username END AS of,
    CASE WHEN s.user_id = ${userId} THEN pa.username END AS by
  ${sessionsWithPeople(db)}
  WHERE (s.user_id = ${userId} OR x.person_id = ${userId}) AND s.used_at > ${usedAfter}
  ORDER BY s.token_hash = ${current} DESC, s.used_at DESC LIMIT 200
`;

export const deleteSessionById = (db: Db, userId: string, id: string) =>
  db<EndedSession[]>`
    DELETE FROM sessions WHERE ${ofPerson(db, userId)} AND id = ${id} RETURNING id
  `;

export const deleteOtherSessions = (db: Db, userId: string, current: Buffer) =>
  db<EndedSession[]>`
    DELETE FROM sessions WHERE ${ofPerson(db, userId)} AND token_hash <> ${current} RETURNING id
  `;
