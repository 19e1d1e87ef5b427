// What this package uses of the server.

import type { App } from "../../../src/platform/app.ts";
import type { startWeb as serve } from "../../../src/roles/web.ts";

export { askByName } from "../../../src/cli/ask-by-name.ts";
export { bar, megabytes, progressLine } from "../../../src/cli/progress.ts";
export { openNewDatabase, withAppOn } from "../../../src/cli/session.ts";
export { QUOTERS, joinPolicy } from "../../../src/domain/people/accounts/policies.ts";
export { fieldRows, noteHtml } from "../../../src/domain/people/accounts/profile-text.ts";
export type { UserSettings } from "../../../src/domain/people/accounts/tables.ts";
export { authorizationUri } from "../../../src/domain/people/approvals/requests.ts";
export type { EmojiRow } from "../../../src/domain/base/emojis/tables.ts";
export { richText } from "../../../src/domain/about/instance/rich-text.ts";
export { movedKey } from "../../../src/domain/base/media/moved-routes.ts";
export { GROUPED_TYPES } from "../../../src/domain/reading/notifications/tables.ts";
export type { NotificationType } from "../../../src/domain/reading/notifications/tables.ts";
export { tokenHash } from "../../../src/domain/people/oauth/secret.ts";
export { sealedSecret } from "../../../src/domain/people/users/factors/totp.ts";
export { isFromElsewhere } from "../../../src/domain/people/users/passwords.ts";
export { peopleOverLimits } from "../../../src/domain/posts/filters/load.ts";
export { planEnds } from "../../../src/domain/posts/polls/vote.ts";
export { tokenSeal } from "../../../src/domain/reading/push/subscribe.ts";
export { indexMarked, queueEverybody } from "../../../src/domain/reading/search/index-statuses.ts";
export type { RelaySetting, Settings } from "../../../src/domain/base/settings/settings.ts";
export { linkHash, linkHashes } from "../../../src/domain/posts/statuses/links.ts";
export { planScheduled } from "../../../src/domain/posts/statuses/schedule.ts";
export { isDirect, openTo } from "../../../src/domain/posts/statuses/visibility.ts";
export type { Visibility } from "../../../src/domain/posts/statuses/visibility.ts";
export { tagUrl } from "../../../src/domain/posts/tags/present.ts";
export { WEBHOOK_EVENTS } from "../../../src/domain/base/webhooks/tables.ts";
export type { App } from "../../../src/platform/app.ts";
export { readConfig, readEnvironment, withSecrets } from "../../../src/platform/config/config.ts";
export type { Config } from "../../../src/platform/config/config.ts";
export { adoptVapid } from "../../../src/platform/config/secrets.ts";
export { connect, sqlState } from "../../../src/platform/db/index.ts";
export type { Db, Sql, Tx } from "../../../src/platform/db/index.ts";
export { migrate } from "../../../src/platform/db/migrate.ts";
export { ConfigError } from "../../../src/platform/errors.ts";
export { addDays, isoDate } from "../../../src/platform/ids/index.ts";
export { reasonOf } from "../../../src/platform/reason.ts";
export { STATUS_LIMITS } from "../../../src/platform/remote-limits.ts";
export { seal } from "../../../src/platform/seal.ts";
export { diskFiles } from "../../../src/platform/storage/disk.ts";
export { fileUrl } from "../../../src/platform/storage/index.ts";
export type { Files } from "../../../src/platform/storage/index.ts";
export { OLD_FOLDERS, partsOfOldPath } from "../../../src/platform/storage/old-layout.ts";
export { s3Files } from "../../../src/platform/storage/s3.ts";
export type { S3Options } from "../../../src/platform/storage/s3.ts";
export { boundedHtml } from "../../../src/platform/text/cut.ts";
export { formatText } from "../../../src/platform/text/format.ts";
export type { FormatMention } from "../../../src/platform/text/format.ts";
export { plainText, sanitiseName } from "../../../src/platform/text/plain.ts";
export { sanitiseHtml } from "../../../src/platform/text/sanitise.ts";
export { instantOf } from "../../../src/platform/time.ts";

/** Listens on loopback. It loads all of the server, which only a comparison of answers needs. */
export const startWeb = async (app: App): ReturnType<typeof serve> =>
  (await import("../../../src/roles/web.ts")).startWeb(app, ["web"]);
