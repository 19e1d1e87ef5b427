// rookery media …

import { addDays } from "../platform/ids/index.ts";
import { forgetRemote, mediaUsage, removeRemoteUnused } from "../domain/media/remote/manage.ts";
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
