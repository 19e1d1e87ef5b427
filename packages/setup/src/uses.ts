// What this package uses of the server.

export { createStorages } from "../../../src/app.ts";
export { openDatabase, openNewDatabase, withAppOn } from "../../../src/cli/session.ts";
export type { Opened } from "../../../src/cli/session.ts";
export { saidOf } from "../../../src/domain/staff/measures/health.ts";
export type { App } from "../../../src/platform/app.ts";
export {
  readConfig,
  readEnvironment,
  readVariables,
  withSecrets,
} from "../../../src/platform/config/config.ts";
export type { Config } from "../../../src/platform/config/config.ts";
export { withNames } from "../../../src/platform/config/names.ts";
export type { SiteNames } from "../../../src/platform/config/names.ts";
export type { Env } from "../../../src/platform/config/parse.ts";
export { hasDatabase } from "../../../src/platform/db/embedded.ts";
export { checkDatabase, connect } from "../../../src/platform/db/index.ts";
export { migrate } from "../../../src/platform/db/migrate.ts";
export {
  keepSiteNames,
  refuseOtherNames,
  selectSiteNames,
} from "../../../src/platform/db/site-names.ts";
export { ConfigError, DomainError } from "../../../src/platform/errors.ts";
export { makeFolder } from "../../../src/platform/make-folder.ts";
export { reasonOf } from "../../../src/platform/reason.ts";
export { formErrorText } from "../../../src/platform/http/error-text.ts";
export { terminalLocale } from "../../../src/platform/text/locale.ts";
export { spoken } from "../../../src/platform/text/spoken.ts";
export { says, textsIn } from "../../../src/platform/text/texts.ts";
export type { Key, Said, Say, Texts, Values } from "../../../src/platform/text/texts.ts";
