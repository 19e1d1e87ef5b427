// All SQL of the streaming slice.

import type { Db } from "../../../platform/db/index.ts";

export type ListenerRow = {
  id: string;
  locale: string | null;
  settings: Record<string, unknown> | null;
  /** Ids, separated by commas, of accounts that are blocked by either side or muted without an end. */
  hidden: string | null;
  /** Ends of mutes, in milliseconds. */
  until: { id: string; at: number }[] | null;
};

/**
 * Selects what the streams of these people need. Ids come as one text: somebody may have blocked tens of thousands,
 * which cost more to parse as rows than to find.
 */
export const selectListeners = (db: Db, accountIds: string[], now: Date) => db<ListenerRow[]>`
  SELECT v.id, u.locale, u.settings, (
    SELECT string_agg(away.id::text, ',') FROM (
      SELECT target_account_id AS id FROM blocks WHERE account_id = v.id
      UNION ALL
      SELECT account_id FROM blocks WHERE target_account_id = v.id
      UNION ALL
      SELECT target_account_id FROM mutes WHERE account_id = v.id AND expires_at IS NULL
    ) AS away
  ) AS hidden, (
    SELECT json_agg(json_build_object(
      'id', target_account_id::text, 'at', extract(epoch FROM expires_at) * 1000
    ))
    FROM mutes WHERE account_id = v.id AND expires_at > ${now}
  ) AS until
  FROM unnest(${accountIds}::bigint[]) AS v (id)
  LEFT JOIN users u ON u.account_id = v.id
`;
