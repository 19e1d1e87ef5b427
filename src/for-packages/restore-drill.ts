// The interface of the server for packages/restore-drill.

export { closeApp, createApp } from "../app.ts";
export { askByName } from "../cli/ask-by-name.ts";
export { megabytes, progressLine } from "../cli/progress.ts";
export { withApp } from "../cli/session.ts";
export { issueToken } from "../domain/people/oauth/tokens.ts";
export { takeTotpCode } from "../domain/people/users/factors/totp.ts";
export type { App } from "../platform/app.ts";
export { namesOf } from "../platform/backup/check.ts";
export type { Checked } from "../platform/backup/check.ts";
export { insertDrill } from "../platform/backup/queries.ts";
export { prepareFolder, restoreInto } from "../platform/backup/restore.ts";
export type { Restored } from "../platform/backup/restore.ts";
export { isHttpsDefault, readConfig, withSecrets } from "../platform/config/config.ts";
export type { Config } from "../platform/config/config.ts";
export { startEmbedded } from "../platform/db/embedded.ts";
export { sqlState } from "../platform/db/index.ts";
export type { Db } from "../platform/db/index.ts";
export { migrate } from "../platform/db/migrate.ts";
export { keepSiteNames } from "../platform/db/site-names.ts";
export { ConfigError, DomainError } from "../platform/errors.ts";
export { FetchRefused } from "../platform/fetch/errors.ts";
export type { GuardedFetch } from "../platform/fetch/index.ts";
export { kindOfBytes } from "../platform/pictures/kinds.ts";
export { uploadFolder } from "../platform/storage/uploads.ts";
export { startWeb } from "../roles/web.ts";
