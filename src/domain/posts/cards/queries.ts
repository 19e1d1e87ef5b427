// All SQL of the cards slice. Hashes are in hexadecimal.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, onlyRow, valuesOf } from "../../../platform/db/rows.ts";
import type { CardData } from "./tables.ts";

type CardRequests = {
  links: { hash: string; url: string }[];
  now: Date;
  /** Time after which a lost job is enqueued again. */
  again: Date;
  keptUntil: Date;
};

/** Selects the hashes of the links that are new, or were fetched long enough ago. */
export const askFor = (db: Db, { links, now, again, keptUntil }: CardRequests): Promise<string[]> =>
  valuesOf(db<{ hash: string }[]>`
    INSERT INTO preview_cards AS c (url_hash, url, ask_again_at, kept_until)
    SELECT DISTINCT ON (hash) decode(hash, 'hex'), url, ${again}::timestamptz, ${keptUntil}::timestamptz
    FROM jsonb_to_recordset(${db.json(links)}) AS l (hash text, url text)
    ORDER BY hash
    ON CONFLICT (url_hash) DO UPDATE SET ask_again_at = excluded.ask_again_at
      WHERE c.ask_again_at <= ${now}
    RETURNING encode(url_hash, 'hex') AS hash
  `);

export type StoredCard = {
  url: string;
  card: CardData | null;
  creator_account_id: string | null;
  image_key: string | null;
};

export const selectCard = (db: Db, hash: string): Promise<StoredCard | null> =>
  firstRow(db<StoredCard[]>`
    SELECT url, card, creator_account_id, image_key FROM preview_cards
    WHERE url_hash = decode(${hash}, 'hex')
  `);

/** Posts that are invalidated by a changed card; older ones show the old card until they are read again. */
const MAX_INVALIDATED = 1000;

/** Returns false where the card was deleted meanwhile. */
export const updateCard = async (
  db: Db,
  hash: string,
  { card, creator_account_id, image_key }: Omit<StoredCard, "url">,
): Promise<boolean> => {
  const rows = await db`
    UPDATE preview_cards SET
      card = ${card && db.json(card)}, creator_account_id = ${creator_account_id},
      image_key = ${image_key}
    WHERE url_hash = decode(${hash}, 'hex') RETURNING 1
  `;
  const ids = await selectWithCard(db, hash, "0", MAX_INVALIDATED);
  invalidate(db, ...ids.map((id) => `status:${id}` as const));
  return rows.length > 0;
};

export const updateAskAgain = async (db: Db, hash: string, at: Date): Promise<void> => {
  await db`UPDATE preview_cards SET ask_again_at = ${at} WHERE url_hash = decode(${hash}, 'hex')`;
};

/** Selects the newest posts with the card, with an id above `after`. */
export const selectWithCard = (db: Db, hash: string, after: string, limit: number) =>
  valuesOf(db<{ id: string }[]>`
    SELECT s.id FROM status_links k
    JOIN statuses s ON s.id = k.status_id AND s.card_hash = k.url_hash
    WHERE k.url_hash = decode(${hash}, 'hex') AND k.status_id > ${after}
    ORDER BY k.status_id DESC LIMIT ${limit}
  `);

type Expiry = { now: Date; keptUntil: Date; limit: number };

/**
 * Looks at the cards that were not checked for the longest time, and deletes those without a post; the others are kept
 * until `keptUntil`.
 */
export const deleteUnused = (db: Db, { now, keptUntil, limit }: Expiry) =>
  onlyRow(db<{ looked: number; gone: number }[]>`
    WITH due AS MATERIALIZED (
      SELECT c.id, EXISTS (
        SELECT FROM status_links k JOIN statuses s ON s.id = k.status_id AND s.card_hash = k.url_hash
        WHERE k.url_hash = c.url_hash
      ) AS used
      FROM preview_cards c
      WHERE c.kept_until < ${now} ORDER BY c.kept_until LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), kept AS (
      UPDATE preview_cards c SET kept_until = ${keptUntil} FROM due WHERE c.id = due.id AND due.used
    ), gone AS (
      DELETE FROM preview_cards c USING due WHERE c.id = due.id AND NOT due.used
      RETURNING c.id
    )
    SELECT (SELECT count(*)::int FROM due) AS looked, (SELECT count(*)::int FROM gone) AS gone
  `);
