// The interface of the server for packages/upgrade-check.

export { megabytes } from "../cli/progress.ts";
export { withApp } from "../cli/session.ts";
export type { Config } from "../platform/config/config.ts";
export type { Sql } from "../platform/db/index.ts";
export { pendingMigrations, readMigration, refuseNewer } from "../platform/db/migrate.ts";
export { ConfigError } from "../platform/errors.ts";
