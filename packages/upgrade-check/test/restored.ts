// The kept databases of versions, checked, and restored as they were, before any migration.

import { closeApp, createApp } from "../../../src/app.ts";
import { readConfig, withSecrets } from "../../../src/platform/config/config.ts";
import { checkBackup, findSource } from "../../backup/src/check.ts";
import type { Checked } from "../../backup/src/check.ts";
import { openPlace } from "../../backup/src/place.ts";
import { prepareFolder, restoreInto } from "../../backup/src/restore.ts";
import { dumpOf } from "./dump.ts";
import type { Version } from "./dump.ts";

export const checkDump = async (version: Version): Promise<Checked> => {
  const { backup } = readConfig({});
  return checkBackup(await findSource(openPlace(dumpOf(version), backup.service), null));
};

/** Restores into an empty database and folder, which then are those of a server of the version. */
export const restoreDump = async (
  checked: Checked,
  env: Record<string, string>,
  databaseUrl: string,
): Promise<void> => {
  const config = readConfig(env);
  await prepareFolder(config, checked);
  const app = createApp({ config: withSecrets(config), databaseUrl });
  try {
    await restoreInto(app, databaseUrl, checked);
  } finally {
    await closeApp(app);
  }
};
