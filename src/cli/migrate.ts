// The command `rookery migrate`.

import { migrate } from "../platform/db/migrate.ts";
import { withApp } from "./session.ts";

export const migrateCommand = (): Promise<void> =>
  withApp(
    async (app, url) => {
      // withApp has already migrated; a second run shows that nothing is left.
      const left = await migrate(app.sql, url);
      console.log(
        left.length === 0 ? "The database is up to date." : `Applied ${left.join(", ")}.`,
      );
    },
    { started: false },
  );
