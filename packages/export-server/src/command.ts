// The command `rookery export`.

import { bar, progressLine, requireDataDir, withApp } from "./uses.ts";
import { exportServer } from "./export.ts";

type ServerExportOptions = { withSecrets?: boolean; json?: boolean };

export const exportCommand = (target: string, options: ServerExportOptions): Promise<void> =>
  withApp(async (app) => {
    requireDataDir(app.config);
    const line = progressLine();
    const { withSecrets = false, json } = options;
    const manifest = await exportServer(app, target, {
      withSecrets,
      onProgress: (done, all) => line.show(bar(done, all, "people")),
    });
    line.clear();
    if (json) return console.log(JSON.stringify(manifest, null, 2));
    console.log(`${manifest.people} people of ${manifest.domain} exported to ${target}.`);
    console.log(
      withSecrets
        ? "It holds passwords' hashes, keys and private posts: store it accordingly."
        : "It holds private posts: store it accordingly.",
    );
  });
