// rookery media …

import { addDays } from "../platform/ids/index.ts";
import { forgetRemote, mediaUsage, removeRemoteUnused } from "../domain/media/remote/manage.ts";
import { withApp } from "./session.ts";

const shown = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

export const usage = (): Promise<void> =>
  withApp(async (app) => {
    for (const { kind, files, bytes } of await mediaUsage(app)) {
      console.log(`${kind}\t${files}${bytes > 0 ? `\t${shown(bytes)}` : ""}`);
    }
  });

export const remove = (days: number): Promise<void> =>
  withApp(async (app) => {
    const removed = await removeRemoteUnused(app, addDays(app.clock.now(), -days));
    console.log(`Removed ${removed} copies; their files go within a minute while the server runs.`);
  });

export const refresh = (host: string | null): Promise<void> =>
  withApp(async (app) => {
    console.log(`${await forgetRemote(app, host)} files are fetched again when somebody looks.`);
  });
