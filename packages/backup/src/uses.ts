// What this package uses of the server.

import type { App } from "../../../src/platform/app.ts";
import type { startWeb as serve } from "../../../src/roles/web.ts";

export { closeApp, createApp } from "../../../src/app.ts";
export { askByName } from "../../../src/cli/ask-by-name.ts";
export { megabytes, progressLine } from "../../../src/cli/progress.ts";
export { openNewDatabase, withApp, withAppOn } from "../../../src/cli/session.ts";
export { issueToken } from "../../../src/domain/people/oauth/tokens.ts";
export { takeTotpCode } from "../../../src/domain/people/users/factors/totp.ts";
export type { App } from "../../../src/platform/app.ts";
export type { DrillOutcome, Outcome } from "../../../src/platform/backup/queries.ts";
export { markFolder, unmarkFolder } from "../../../src/platform/backup/unfinished.ts";
export { refuseMediaTarget } from "../../../src/platform/config/backup-target.ts";
export {
  isHttpsDefault,
  readConfig,
  readEnvironment,
  withSecrets,
} from "../../../src/platform/config/config.ts";
export type { Config } from "../../../src/platform/config/config.ts";
export { VARIABLES } from "../../../src/platform/config/variables.ts";
export { withNames } from "../../../src/platform/config/names.ts";
export type { SiteNames } from "../../../src/platform/config/names.ts";
export type { Env } from "../../../src/platform/config/parse.ts";
export { writeSecrets } from "../../../src/platform/config/secrets.ts";
export type { Secrets } from "../../../src/platform/config/secrets.ts";
export { startEmbedded } from "../../../src/platform/db/embedded.ts";
export { checkDatabase, connect, sqlState } from "../../../src/platform/db/index.ts";
export type { Db } from "../../../src/platform/db/index.ts";
export { checkMigrations, migrate } from "../../../src/platform/db/migrate.ts";
export { keepSiteNames } from "../../../src/platform/db/site-names.ts";
export { ConfigError, DomainError } from "../../../src/platform/errors.ts";
export { FetchRefused } from "../../../src/platform/fetch/errors.ts";
export type { GuardedFetch } from "../../../src/platform/fetch/index.ts";
export { makeFolder } from "../../../src/platform/make-folder.ts";
export { kindOfBytes } from "../../../src/platform/pictures/kinds.ts";
export { reasonOf } from "../../../src/platform/reason.ts";
export { diskFiles } from "../../../src/platform/storage/disk.ts";
export type { Files, KeyRule, Listed, Storage } from "../../../src/platform/storage/index.ts";
export { holdFiles } from "../../../src/platform/storage/queries.ts";
export { s3Files } from "../../../src/platform/storage/s3.ts";
export type { S3Options } from "../../../src/platform/storage/s3.ts";
export { uploadFolder } from "../../../src/platform/storage/uploads.ts";
export { EVENT_LINE } from "../../../src/platform/text/sanitise.ts";
export { says } from "../../../src/platform/text/texts.ts";
export { VERSION } from "../../../src/platform/version.ts";

/** Listens on loopback. It loads all of the server, which only a drill needs. */
export const startWeb = async (app: App): ReturnType<typeof serve> =>
  (await import("../../../src/roles/web.ts")).startWeb(app, ["web"]);
