// rookery media …

import { createStorages } from "../app.ts";
import { addDays } from "../platform/ids/index.ts";
import { forgetRemote, mediaUsage, removeRemoteUnused } from "../domain/media/remote/manage.ts";
import { readConfig, readEnvironment, withSecrets } from "../platform/config/config.ts";
import { ConfigError } from "../platform/errors.ts";
import { moveFiles } from "../platform/storage/move.ts";
import type { Moved } from "../platform/storage/move.ts";
import { printRows } from "./print.ts";
import { megabytes } from "./progress.ts";
import { withApp } from "./session.ts";

export const usage = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) =>
    printRows(await mediaUsage(app), json, ({ kind, files, bytes }) =>
      [kind, files, ...(bytes > 0 ? [megabytes(bytes)] : [])].join("\t"),
    ),
  );

export const remove = (days: number): Promise<void> =>
  withApp(async (app) => {
    const removed = await removeRemoteUnused(app, addDays(app.clock.now(), -days));
    console.log(`Removed ${removed} copies; their files go within a minute while the server runs.`);
  });

export const refresh = (host: string | null): Promise<void> =>
  withApp(async (app) => {
    console.log(`${await forgetRemote(app, host)} files are fetched again when somebody looks.`);
  });

const TOLD_EACH = 1000;

/** Needs no database. */
export const move = async ({ dryRun }: { dryRun: boolean }): Promise<void> => {
  const { main, other } = createStorages(withSecrets(readConfig(readEnvironment())));
  if (!other)
    throw new ConfigError("There are no files elsewhere: set S3_BUCKET and MEDIA_STORAGE.");
  const say = ({ files, bytes }: Moved) => `${files} files\t${megabytes(bytes)}`;
  const tell = (moved: Moved): void => {
    if (moved.files % TOLD_EACH === 0) console.log(say(moved));
  };
  const moved = await moveFiles(other, main, { dryRun, tell }).finally(() => {
    main.close();
    other.close();
  });
  console.log(`${dryRun ? "To be moved" : "Moved"}: ${say(moved)}`);
  for (const fault of moved.failed) console.error(fault);
  if (moved.failed.length > 0) throw new ConfigError("Some files were not moved: run it again.");
};
