// The interface of the server for packages/backup.

import type { App } from "../platform/app.ts";
import type { startWeb as serve } from "../roles/web.ts";

export { closeApp, createApp } from "../app.ts";
export { askByName } from "../cli/ask-by-name.ts";
export { megabytes, progressLine } from "../cli/progress.ts";
export { openNewDatabase, withApp, withAppOn } from "../cli/session.ts";
export { issueToken } from "../domain/people/oauth/tokens.ts";
export { takeTotpCode } from "../domain/people/users/factors/totp.ts";
export type { App } from "../platform/app.ts";
export { insertDrill, insertOutcome } from "../platform/backup/queries.ts";
export { markFolder, unmarkFolder } from "../platform/backup/unfinished.ts";
export { refuseMediaTarget } from "../platform/config/backup-target.ts";
export {
  isHttpsDefault,
  readConfig,
  readEnvironment,
  withSecrets,
} from "../platform/config/config.ts";
export type { Config } from "../platform/config/config.ts";
export { VARIABLES } from "../platform/config/variables.ts";
export { withNames } from "../platform/config/names.ts";
export type { SiteNames } from "../platform/config/names.ts";
export type { Env } from "../platform/config/parse.ts";
export { writeSecrets } from "../platform/config/secrets.ts";
export type { Secrets } from "../platform/config/secrets.ts";
export { startEmbedded } from "../platform/db/embedded.ts";
export { checkDatabase, connect, sqlState } from "../platform/db/index.ts";
export type { Db } from "../platform/db/index.ts";
export { checkMigrations, migrate } from "../platform/db/migrate.ts";
export { keepSiteNames } from "../platform/db/site-names.ts";
export { ConfigError, DomainError } from "../platform/errors.ts";
export { FetchRefused } from "../platform/fetch/errors.ts";
export type { GuardedFetch } from "../platform/fetch/index.ts";
export { makeFolder } from "../platform/make-folder.ts";
export { kindOfBytes } from "../platform/pictures/kinds.ts";
export { reasonOf } from "../platform/reason.ts";
export { diskFiles } from "../platform/storage/disk.ts";
export type { Files, KeyRule, Listed, Storage } from "../platform/storage/index.ts";
export { holdFiles } from "../platform/storage/queries.ts";
export { s3Files } from "../platform/storage/s3.ts";
export type { S3Options } from "../platform/storage/s3.ts";
export { uploadFolder } from "../platform/storage/uploads.ts";
export { EVENT_LINE } from "../platform/text/sanitise.ts";
export { VERSION } from "../platform/version.ts";

/** Listens on loopback. It loads all of the server, which only a drill needs. */
export const startWeb = async (app: App): ReturnType<typeof serve> =>
  (await import("../roles/web.ts")).startWeb(app, ["web"]);
