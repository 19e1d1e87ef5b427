// Enqueues the job of an import's next slice.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import "./events.ts";

/** Lower priority than all other jobs. */
const PRIORITY = 5;

export const enqueueImport = (app: App, db: Db, id: string, runAt?: Date): Promise<void> =>
  app.jobs.add(
    db,
    "import.due",
    { id },
    { key: `import:${id}`, priority: PRIORITY, ...(runAt && { runAt }) },
  );
