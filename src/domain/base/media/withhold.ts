// Gives files of a suspended account new addresses, so that the known ones lead nowhere, here, in a bucket and behind a
// proxy alike. Moderators are shown the new ones, and so is everybody if the account comes back.

import type { App } from "../../../platform/app.ts";
import { folderOfKey, newKey } from "../../../platform/storage/index.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import "./events.ts";
import { renameFiles, selectFilesOf } from "./queries.ts";
import type { FileNames } from "./queries.ts";

const SLICE = 50;

/** Copies the file under a new key; returns null where there is none. */
export const copyUnderNewKey = async (app: App, key: string | null): Promise<string | null> => {
  const folder = key === null ? null : folderOfKey(key);
  const file = key === null || folder === null ? null : await app.storage.open(key);
  if (key === null || folder === null || !file) return null;
  const renamed = newKey(folder, key.slice(key.lastIndexOf(".") + 1));
  await app.storage.put(renamed, file.stream);
  return renamed;
};

const copyBoth = async (app: App, { id, file_key, small_key }: FileNames) => ({
  id,
  old: file_key,
  file_key: await copyUnderNewKey(app, file_key),
  small_key: await copyUnderNewKey(app, small_key),
});

/** Handles the job `media.withheld`, slice by slice. */
export const onMediaWithheld: JobHandler<"media.withheld"> = async (app, { accountId, after }) => {
  const files = await selectFilesOf(app.sql, accountId, after, SLICE);
  const renamed: Awaited<ReturnType<typeof copyBoth>>[] = [];
  for (const file of files) renamed.push(await copyBoth(app, file));
  await app.sql.begin(async (tx) => {
    await renameFiles(tx, renamed);
    if (files.length < SLICE) return;
    await app.jobs.add(tx, "media.withheld", { accountId, after: files.at(-1)!.id });
  });
};
