// The interface of the server for packages/import-mastodon.

import type { App } from "../platform/app.ts";
import type { startWeb as serve } from "../roles/web.ts";

export { askByName } from "../cli/ask-by-name.ts";
export { bar, megabytes, progressLine } from "../cli/progress.ts";
export { openNewDatabase, withAppOn } from "../cli/session.ts";
export { QUOTERS, joinPolicy } from "../domain/people/accounts/policies.ts";
export { fieldRows, noteHtml } from "../domain/people/accounts/profile-text.ts";
export type { UserSettings } from "../domain/people/accounts/tables.ts";
export { authorizationUri } from "../domain/people/approvals/requests.ts";
export type { EmojiRow } from "../domain/base/emojis/tables.ts";
export { richText } from "../domain/about/instance/rich-text.ts";
export { movedKey } from "../domain/base/media/moved.ts";
export { GROUPED_TYPES } from "../domain/reading/notifications/tables.ts";
export type { NotificationType } from "../domain/reading/notifications/tables.ts";
export { tokenHash } from "../domain/people/oauth/secret.ts";
export { sealedSecret } from "../domain/people/users/factors/totp.ts";
export { isFromElsewhere } from "../domain/people/users/passwords.ts";
export { peopleOverLimits } from "../domain/posts/filters/load.ts";
export { planEnds } from "../domain/posts/polls/vote.ts";
export { tokenSeal } from "../domain/reading/push/subscribe.ts";
export { indexMarked, queueEverybody } from "../domain/reading/search/index-statuses.ts";
export type { RelaySetting, Settings } from "../domain/base/settings/settings.ts";
export { linkHash, linkHashes } from "../domain/posts/statuses/links.ts";
export { planScheduled } from "../domain/posts/statuses/schedule.ts";
export { isDirect, openTo } from "../domain/posts/statuses/visibility.ts";
export type { Visibility } from "../domain/posts/statuses/visibility.ts";
export { tagUrl } from "../domain/posts/tags/present.ts";
export { WEBHOOK_EVENTS } from "../domain/base/webhooks/tables.ts";
export type { App } from "../platform/app.ts";
export { readConfig, readEnvironment, withSecrets } from "../platform/config/config.ts";
export type { Config } from "../platform/config/config.ts";
export { adoptVapid } from "../platform/config/secrets.ts";
export { connect, sqlState } from "../platform/db/index.ts";
export type { Db, Sql, Tx } from "../platform/db/index.ts";
export { migrate } from "../platform/db/migrate.ts";
export { ConfigError } from "../platform/errors.ts";
export { addDays, isoDate } from "../platform/ids/index.ts";
export { reasonOf } from "../platform/reason.ts";
export { STATUS_LIMITS } from "../platform/remote-limits.ts";
export { seal } from "../platform/seal.ts";
export { diskFiles } from "../platform/storage/disk.ts";
export { fileUrl } from "../platform/storage/index.ts";
export type { Files } from "../platform/storage/index.ts";
export { OLD_FOLDERS, partsOfOldPath } from "../platform/storage/old-layout.ts";
export { s3Files } from "../platform/storage/s3.ts";
export type { S3Options } from "../platform/storage/s3.ts";
export { boundedHtml } from "../platform/text/cut.ts";
export { formatText } from "../platform/text/format.ts";
export type { FormatMention } from "../platform/text/format.ts";
export { plainText, sanitiseName } from "../platform/text/plain.ts";
export { sanitiseHtml } from "../platform/text/sanitise.ts";
export { instantOf } from "../platform/time.ts";

/** Listens on loopback. It loads all of the server, which only a comparison of answers needs. */
export const startWeb = async (app: App): ReturnType<typeof serve> =>
  (await import("../roles/web.ts")).startWeb(app, ["web"]);
