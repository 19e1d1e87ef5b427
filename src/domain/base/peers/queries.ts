// SQL of what is known of other servers.

import type { Db } from "../../../platform/db/index.ts";
import { hasRows } from "../../../platform/db/rows.ts";

export type PeerRow = {
  host: string;
  /** Null where the server does not say. */
  software: string | null;
  version: string | null;
  checked_at: Date;
};

type Claim = { now: Date; before: Date; unknownBefore: Date };

/**
 * Marks a server as asked now; returns false where it was asked since `before`, or since `unknownBefore` and its
 * software is unknown.
 */
export const claimPeer = (db: Db, host: string, { now, before, unknownBefore }: Claim) =>
  hasRows(db`
    INSERT INTO peers AS p (host, checked_at) VALUES (${host}, ${now})
    ON CONFLICT (host) DO UPDATE SET checked_at = excluded.checked_at
      WHERE p.checked_at <= CASE WHEN p.software IS NULL THEN ${unknownBefore}::timestamptz ELSE ${before} END
    RETURNING 1
  `);

export const updatePeer = (
  db: Db,
  host: string,
  { software, version }: Pick<PeerRow, "software" | "version">,
) => db`UPDATE peers SET software = ${software}, version = ${version} WHERE host = ${host}`;

/** Selects by the primary key. */
export const selectSoftware = (db: Db, hosts: string[]) => db<Omit<PeerRow, "checked_at">[]>`
  SELECT host, software, version FROM peers WHERE host = ANY(${hosts}::text[])
`;

/** Makes a pattern that matches the reversed form of names that end with this text. */
const reversedPattern = (end: string): string =>
  `${[...end]
    .toReversed()
    .join("")
    .replaceAll(/[\\%_]/g, "\\$&")}%`;

/** Selects the server with this domain and those below it. */
export const selectPeersOf = (db: Db, domain: string, limit: number) => db<PeerRow[]>`
  SELECT host, software, version, checked_at FROM peers
  WHERE host = ${domain} OR reverse(host) LIKE ${reversedPattern(`.${domain}`)}
  ORDER BY host LIMIT ${limit}
`;
