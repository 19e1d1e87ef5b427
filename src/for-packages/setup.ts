// The interface of the server for packages/setup.

export { createStorages } from "../app.ts";
export { openDatabase, openNewDatabase, withAppOn } from "../cli/session.ts";
export type { Opened } from "../cli/session.ts";
export type { App } from "../platform/app.ts";
export { asTyped } from "../platform/command-name.ts";
export {
  readConfig,
  readEnvironment,
  readVariables,
  withSecrets,
} from "../platform/config/config.ts";
export type { Config } from "../platform/config/config.ts";
export { withNames } from "../platform/config/names.ts";
export type { SiteNames } from "../platform/config/names.ts";
export type { Env } from "../platform/config/parse.ts";
export { hasDatabase } from "../platform/db/embedded.ts";
export { checkDatabase, connect } from "../platform/db/index.ts";
export { migrate } from "../platform/db/migrate.ts";
export { keepSiteNames, refuseOtherNames, selectSiteNames } from "../platform/db/site-names.ts";
export { ConfigError, DomainError } from "../platform/errors.ts";
export { makeFolder } from "../platform/make-folder.ts";
export { reasonOf } from "../platform/reason.ts";
