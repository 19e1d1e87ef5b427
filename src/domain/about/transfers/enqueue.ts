// Declares the jobs of the transfers slice, and enqueues that of an import's next slice.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Import the next slice. */
    "import.due": { id: string };
    /** Apply an archive's settings of notification policy and mails, as they were written. */
    "settings.imported": {
      accountId: string;
      policy: Record<string, string>;
      mails: Record<string, boolean>;
    };
  }
}

/** Lower priority than all other jobs. */
const PRIORITY = 5;

export const enqueueImport = (app: App, db: Db, id: string, runAt?: Date): Promise<void> =>
  app.jobs.add(
    db,
    "import.due",
    { id },
    { key: `import:${id}`, priority: PRIORITY, ...(runAt && { runAt }) },
  );
