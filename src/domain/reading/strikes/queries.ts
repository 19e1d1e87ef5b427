// All SQL of the strikes slice.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, hasRows, onlyValue, valuesOf } from "../../../platform/db/rows.ts";
import { MAX_ID } from "../../../platform/ids/index.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { Evidence, NewStrike, StrikeRow } from "./tables.ts";

const columns = (db: Db) => db`
  s.id, s.account_id, s.target_account_id, s.action, s.text, s.report_id, s.status_ids, s.overruled_at,
  s.created_at, p.text AS appeal_text, p.decided_at IS NOT NULL AS appeal_decided,
  p.approved AS appeal_approved
`;

export const insertStrike = async (db: Db, { evidence, ...strike }: NewStrike, at: Date) => {
  const row = { ...strike, evidence: db.json(evidence as never), created_at: at };
  return onlyValue(db<{ id: string }[]>`
    INSERT INTO strikes ${db(row as never)} RETURNING id
  `);
};

export const selectStrikes = (db: Db, ids: string[]) => db<StrikeRow[]>`
  SELECT ${columns(db)} FROM strikes s LEFT JOIN appeals p ON p.strike_id = s.id
  WHERE s.id = ANY(${ids}::bigint[])
`;

/** Selects those of one account, the newest first. */
export const selectStrikesOf = (db: Db, accountId: string, limit: number) => db<StrikeRow[]>`
  SELECT ${columns(db)} FROM strikes s LEFT JOIN appeals p ON p.strike_id = s.id
  WHERE s.target_account_id = ${accountId} ORDER BY s.id DESC LIMIT ${limit}
`;

/** Returns false where there is one already. */
export const insertAppeal = (db: Db, strikeId: string, text: string, at: Date): Promise<boolean> =>
  hasRows(db`
    INSERT INTO appeals (strike_id, text, created_at) VALUES (${strikeId}, ${text}, ${at})
    ON CONFLICT (strike_id) DO NOTHING
  `);

export type Decision = { approved: boolean; by: string | null; at: Date };

/** Returns false where none waits. */
export const updateAppeal = async (db: Db, strikeId: string, { approved, by, at }: Decision) => {
  const done = await db`
    UPDATE appeals SET decided_at = ${at}, approved = ${approved}, decided_by_account_id = ${by}
    WHERE strike_id = ${strikeId} AND decided_at IS NULL
  `;
  if (done.count > 0 && approved) {
    await db`UPDATE strikes SET overruled_at = ${at} WHERE id = ${strikeId}`;
  }
  return done.count > 0;
};

/** Selects strikes whose appeals wait, or are decided; the newest first. */
export const selectAppealed = (
  db: Db,
  decided: boolean,
  { maxId, limit }: Pick<Page, "maxId" | "limit">,
): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT strike_id AS id FROM appeals
    WHERE ${decided ? db`decided_at IS NOT NULL` : db`decided_at IS NULL`}
      AND strike_id < ${maxId ?? MAX_ID}
    ORDER BY strike_id DESC LIMIT ${limit}
  `);

/** Selects what is kept of the posts that a strike deleted. */
export const selectOwnEvidence = async (db: Db, strikeId: string): Promise<Evidence[]> => {
  const [row] = await db<{ evidence: Evidence[] }[]>`
    SELECT evidence FROM strikes WHERE id = ${strikeId}
  `;
  return row?.evidence ?? [];
};

/** Decisions about one account whose evidence is read. */
const MAX_DECISIONS = 100;

/** Selects what is kept of an account's deleted posts. */
export const selectEvidence = (db: Db, accountId: string) => db<{ evidence: Evidence[] }[]>`
  SELECT evidence FROM strikes WHERE target_account_id = ${accountId} AND evidence <> '[]'
  ORDER BY id DESC LIMIT ${MAX_DECISIONS}
`;

export type PresetRow = { id: string; title: string; text: string };

export const selectPreset = (db: Db, id: string): Promise<PresetRow | null> =>
  firstRow(db<PresetRow[]>`
    SELECT id, title, text FROM warning_presets WHERE id = ${id}
  `);

export const selectPresets = (db: Db) => db<PresetRow[]>`
  SELECT id, title, text FROM warning_presets ORDER BY title, id
`;

export const insertPreset = (db: Db, title: string, text: string): Promise<string> =>
  onlyValue(db<{ id: string }[]>`
    INSERT INTO warning_presets (title, text) VALUES (${title}, ${text}) RETURNING id
  `);

/** Returns its title; null where there was none. */
export const deletePreset = (db: Db, id: string): Promise<string | null> =>
  firstValue(db<{ title: string }[]>`
    DELETE FROM warning_presets WHERE id = ${id} RETURNING title
  `);
