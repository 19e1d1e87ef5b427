// rookery import mastodon

import { readConfig, readEnvironment, withSecrets } from "../platform/config/config.ts";
import { adoptVapid } from "../platform/config/secrets.ts";
import { connectOld, moveIn, refuseOtherServer } from "../moving/mastodon/move-in.ts";
import { readOldEnv } from "../moving/mastodon/env.ts";
import { megabytes, progressLine } from "./progress.ts";
import { withApp } from "./session.ts";

export type ImportOptions = { database: string; media: string; env: string };

export const importMastodon = async (options: ImportOptions): Promise<void> => {
  const env = readOldEnv(options.env);
  const config = readConfig(readEnvironment());
  refuseOtherServer(config.site, env);
  const old = await connectOld(options.database);
  try {
    if (env.vapid) adoptVapid(config.dataDir, config.givenSecrets, env.vapid);
    withSecrets(config);
    await withApp(
      async (app) => {
        const line = progressLine();
        const began = performance.now();
        let taken = 0;
        const result = await moveIn(app, { old, env, media: options.media }, (step, rows) => {
          taken += rows;
          const rate = Math.round((taken / (performance.now() - began)) * 1000);
          line.show(`${step}: ${taken.toLocaleString("en-US")} rows, ${rate} a second`);
        });
        line.clear();
        for (const { name, rows, orphans, refused, fault } of result.steps) {
          const left = [
            ...(Number(orphans) > 0 ? [`${orphans} about what is gone`] : []),
            ...(fault ? [`${refused} refused, the last: ${fault}`] : []),
          ].join(", ");
          console.log(`${name}: ${rows}${left ? ` (${left})` : ""}`);
        }
        const { copied, bytes, missing } = result.files;
        console.log(`files: ${copied} copied (${megabytes(bytes)}), ${missing} missing`);
        console.log(`Pass ${result.pass} is finished.`);
      },
      { started: false },
    );
  } finally {
    await old.end();
  }
};
