// SQL of the state of the server, and of the findings of the last doctor.

import type { Db } from "../../../platform/db/index.ts";
import { onlyRow } from "../../../platform/db/rows.ts";
import type { Key, Values } from "../../../platform/text/texts.ts";

export type FindingState = "ok" | "warning" | "fault" | "skipped";

/** What was found, and what to do, as keys of the catalogue with values for both. */
export type Found = { text: Key; advice?: Key; values: Values };

/** `text` and `advice` are in English; `said` has them for other languages. */
export type FindingRow = {
  check_name: string;
  state: FindingState;
  text: string;
  advice: string | null;
  said?: Found | null;
  found_at: Date;
};

export const selectFindings = (db: Db) => db<FindingRow[]>`
  SELECT check_name, state, text, advice, said, found_at FROM findings ORDER BY id
`;

/** Deletes those of all checks, or of `only` one. */
export const deleteFindings = (db: Db, only?: string) =>
  db`DELETE FROM findings WHERE check_name = coalesce(${only ?? null}, check_name)`;

export const insertFindings = (db: Db, rows: FindingRow[]) => db`INSERT INTO findings ${db(rows)}`;

export type Queues = {
  /** Seconds that the oldest due job has waited. */
  late: number;
  /** Jobs that are not tried any more. */
  failed_jobs: number;
  /** Mails that could not be sent yet. */
  failed_mails: number;
};

/** Most jobs and mails that are counted. */
const CAP = 1000;

export const selectQueues = (db: Db): Promise<Queues> =>
  onlyRow(db<Queues[]>`
    SELECT
      coalesce((
        SELECT extract(epoch FROM now() - min(run_at))::float8
        FROM graphile_worker._private_jobs WHERE run_at < now() AND is_available
      ), 0) AS late,
      (SELECT count(*)::int FROM (
        SELECT FROM graphile_worker._private_jobs
        WHERE attempts >= max_attempts AND locked_at IS NULL LIMIT ${CAP}
      ) AS failed) AS failed_jobs,
      (SELECT count(*)::int FROM (
        SELECT FROM graphile_worker._private_jobs j
        JOIN graphile_worker._private_tasks t ON t.id = j.task_id
        WHERE j.attempts > 0 AND j.is_available AND (t.identifier LIKE 'mail.%' OR t.identifier LIKE 'user.%')
        LIMIT ${CAP}
      ) AS mails) AS failed_mails
  `);
