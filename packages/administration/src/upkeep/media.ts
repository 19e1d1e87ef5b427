// The commands `rookery media …`.

import {
  ConfigError,
  addDays,
  createStorages,
  megabytes,
  printCount,
  progressLine,
  readConfig,
  readEnvironment,
  removeRemoteUnused,
  requireDataDir,
  withApp,
} from "../uses.ts";
import { printRows } from "../print.ts";
import { slices } from "../many.ts";
import type { OutputOptions } from "../uses.ts";
import { moveFiles } from "./move-files.ts";
import type { Moved } from "./move-files.ts";
import { countForgotten, countUnused, forgetCopies, selectUsage } from "./queries-copies.ts";

export const mediaUsageCommand = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) =>
    printRows(await selectUsage(app.sql), json, ({ kind, files, bytes }) =>
      [kind, files, ...(bytes > 0 ? [megabytes(bytes)] : [])].join("\t"),
    ),
  );

export const removeMediaCommand = ({
  days,
  ...options
}: OutputOptions & { days: number }): Promise<void> =>
  withApp(async (app) => {
    const before = addDays(app.clock.now(), -days);
    const count = options.dryRun
      ? await countUnused(app.sql, before)
      : await slices("copies", () => removeRemoteUnused(app, before));
    // Their files are deleted within a minute while the server runs.
    printCount(count, ["copies removed", "copies would be removed"], options);
  });

export const refreshMediaCommand = (
  host: string | undefined,
  options: OutputOptions,
): Promise<void> =>
  withApp(async (app) => {
    const forget = options.dryRun ? countForgotten : forgetCopies;
    const then = "fetched again when somebody looks";
    const what = [`files are ${then}`, `files would be ${then}`] as const;
    printCount(await forget(app.sql, host ?? null), what, options);
  });

/** Moves the files; needs no database. */
export const moveMediaCommand = async (options: OutputOptions): Promise<void> => {
  const { dryRun = false, json } = options;
  const config = readConfig(readEnvironment());
  requireDataDir(config);
  const { main, other } = createStorages(config);
  if (!other)
    throw new ConfigError("There are no files elsewhere: set S3_BUCKET and MEDIA_STORAGE.");
  const say = ({ files, bytes }: Moved) => `${files} files\t${megabytes(bytes)}`;
  const line = progressLine();
  const onProgress = (moved: Moved): void => line.show(say(moved));
  const moved = await moveFiles(other, main, { dryRun, onProgress }).finally(() => {
    line.clear();
    main.close();
    other.close();
  });
  if (json) console.log(JSON.stringify({ dry_run: dryRun, ...moved }, null, 2));
  else console.log(`${dryRun ? "To be moved" : "Moved"}: ${say(moved)}`);
  for (const fault of moved.failed) console.error(fault);
  if (moved.failed.length > 0) throw new ConfigError("Some files were not moved: run it again.");
};
