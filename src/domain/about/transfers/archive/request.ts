// Requests archives, which take the server a while, so that a person may have one a week.

import type { App } from "../../../../platform/app.ts";
import { parseId, addDays } from "../../../../platform/ids/index.ts";
import { NotFound, Unprocessable } from "../../../../platform/errors.ts";
import { says } from "../../../../platform/text/texts.ts";
import { lockAccount } from "../../../people/accounts/lock.ts";
import { insertArchive, selectArchive, selectNewestArchive } from "./queries.ts";
import type { ArchiveRow } from "./queries.ts";

declare module "../../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Make an archive that somebody requested. */
    "archive.wanted": { id: string };
    /** An archive can be downloaded; its owner gets a mail. */
    "archive.ready": { id: string };
  }
}

export type { ArchiveRow };

/** Days between two archives, and for which one can be downloaded. */
export const ARCHIVE_DAYS = 7;

/** Returns the last one that was requested, until it is removed. */
export const getNewestArchive = (app: App, accountId: string): Promise<ArchiveRow | null> =>
  selectNewestArchive(app.sql, accountId);

export const mayAskAgainAt = ({ created_at: at }: ArchiveRow): Date => addDays(at, ARCHIVE_DAYS);

/** Throws 422 within a week of the last one; with `again` only while that is being made. */
export const requestArchive = (
  app: App,
  accountId: string,
  { again = false } = {},
): Promise<void> =>
  app.sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    const last = await selectNewestArchive(tx, accountId);
    const now = app.clock.now();
    if (last?.state === "waiting") throw new Unprocessable(says("export.in_progress"));
    if (last && !again && mayAskAgainAt(last) > now) {
      throw new Unprocessable(says("export.weekly"));
    }
    const id = await insertArchive(tx, accountId, now);
    await app.jobs.add(tx, "archive.wanted", { id }, { key: `archive:${id}`, priority: 10 });
  });

/** Returns one's own that can be downloaded; throws NotFound for others. */
export const getArchive = async (app: App, accountId: string, rawId: string) => {
  const id = parseId(rawId);
  const row = id === null ? null : await selectArchive(app.sql, id);
  if (row?.account_id !== accountId || !row.file_key) throw new NotFound();
  return { key: row.file_key, madeAt: row.created_at };
};
