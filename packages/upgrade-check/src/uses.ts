// What this package uses of the server.

export { askByName } from "../../../src/cli/ask-by-name.ts";
export { megabytes } from "../../../src/cli/progress.ts";
export { withApp } from "../../../src/cli/session.ts";
export { readConfig, readEnvironment } from "../../../src/platform/config/config.ts";
export type { Config } from "../../../src/platform/config/config.ts";
export type { Sql } from "../../../src/platform/db/index.ts";
export { pendingMigrations, readMigration, refuseNewer } from "../../../src/platform/db/migrate.ts";
export { valuesOf } from "../../../src/platform/db/rows.ts";
export { ConfigError } from "../../../src/platform/errors.ts";
export { reasonOf } from "../../../src/platform/reason.ts";
