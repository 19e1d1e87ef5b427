// What this package uses of the server.

export type { OutputOptions } from "../../../src/cli/conventions.ts";
export { progressLine } from "../../../src/cli/progress.ts";
export { neverStarted, openDatabase, readNames, withAppOn } from "../../../src/cli/session.ts";
export { audit } from "../../../src/domain/base/audit/audit.ts";
export { COMMAND_LINE } from "../../../src/domain/base/roles/permissions.ts";
export { domainMoveActivity } from "../../../src/domain/people/accounts/activitypub.ts";
export { loadAccounts } from "../../../src/domain/people/accounts/load.ts";
export {
  blockActivity,
  followActivity,
} from "../../../src/domain/people/relationships/activitypub.ts";
export { deliver, ownInboxOf } from "../../../src/federation/deliver.ts";
export type { OutgoingActivity } from "../../../src/federation/deliver.ts";
export { followRelaysAgain } from "../../../src/federation/relays.ts";
export type { App } from "../../../src/platform/app.ts";
export {
  isDomainPublic,
  readConfig,
  readEnvironment,
} from "../../../src/platform/config/config.ts";
export type { Config } from "../../../src/platform/config/config.ts";
export { formerNamesOf, originWith } from "../../../src/platform/config/names.ts";
export type { FormerNames, SiteNames } from "../../../src/platform/config/names.ts";
export { domain } from "../../../src/platform/config/parse.ts";
export type { Env } from "../../../src/platform/config/parse.ts";
export type { Db, Fragment, Tx } from "../../../src/platform/db/index.ts";
export { migrate } from "../../../src/platform/db/migrate.ts";
export { holdDatabase } from "../../../src/platform/db/single.ts";
export { hasRows, onlyValue } from "../../../src/platform/db/rows.ts";
export { refuseUnfinishedMove, selectFormerNames } from "../../../src/platform/db/site-names.ts";
export { ConfigError } from "../../../src/platform/errors.ts";
