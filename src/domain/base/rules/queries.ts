// All SQL of the rules slice.

import type { Db } from "../../../platform/db/index.ts";
import { hasRows, onlyValue } from "../../../platform/db/rows.ts";
import type { RuleRow } from "./tables.ts";

export const selectRules = (db: Db) => db<RuleRow[]>`
  SELECT id, text, hint, translations FROM rules WHERE deleted_at IS NULL ORDER BY position, id
`;

export const insertRule = (db: Db, text: string, hint: string): Promise<string> =>
  onlyValue(db<{ id: string }[]>`
    INSERT INTO rules (position, text, hint)
    SELECT coalesce(max(position), 0) + 1, ${text}, ${hint} FROM rules
    RETURNING id
  `);

/** Returns true when there was such a rule. */
export const updateTranslation = (
  db: Db,
  id: string,
  language: string,
  words: { text: string; hint: string },
): Promise<boolean> =>
  hasRows(db`
    UPDATE rules SET translations = translations || ${db.json({ [language]: words })}
    WHERE id = ${id} AND deleted_at IS NULL
  `);

/** Returns true when there was such a rule. */
export const updateRule = (db: Db, id: string, words: { text: string; hint: string }) =>
  hasRows(db`UPDATE rules SET ${db(words)} WHERE id = ${id} AND deleted_at IS NULL`);

/** Swaps the rule with the one above or below. */
export const swapRule = async (db: Db, id: string, up: boolean): Promise<void> => {
  await db`
    WITH this AS (SELECT id, position FROM rules WHERE id = ${id} AND deleted_at IS NULL),
    other AS (
      SELECT r.id, r.position FROM rules r, this
      WHERE r.deleted_at IS NULL
        AND ${
          up
            ? db`(r.position, r.id) < (this.position, this.id)`
            : db`(r.position, r.id) > (this.position, this.id)`
        }
      ORDER BY r.position ${up ? db`DESC` : db`ASC`}, r.id ${up ? db`DESC` : db`ASC`} LIMIT 1
    )
    UPDATE rules r SET position = CASE r.id WHEN this.id THEN other.position ELSE this.position END
    FROM this, other WHERE r.id IN (this.id, other.id)
  `;
};

/** Returns true when there was such a rule. */
export const deleteRule = (db: Db, id: string, now: Date): Promise<boolean> =>
  hasRows(db`
    UPDATE rules SET deleted_at = ${now} WHERE id = ${id} AND deleted_at IS NULL
  `);
