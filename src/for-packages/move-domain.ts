// The interface of the server for packages/move-domain.

export type { OutputOptions } from "../cli/conventions.ts";
export { progressLine } from "../cli/progress.ts";
export { withAppNamed } from "../cli/session.ts";
export { audit } from "../domain/base/audit/audit.ts";
export { COMMAND_LINE } from "../domain/base/roles/permissions.ts";
export { domainMoveActivity } from "../domain/people/accounts/activitypub.ts";
export { loadAccounts } from "../domain/people/accounts/load.ts";
export { blockActivity, followActivity } from "../domain/people/relationships/activitypub.ts";
export { deliver, ownInboxOf } from "../federation/deliver.ts";
export type { OutgoingActivity } from "../federation/deliver.ts";
export { followRelaysAgain } from "../federation/relays.ts";
export type { App } from "../platform/app.ts";
export { isDomainPublic, readConfig, readEnvironment } from "../platform/config/config.ts";
export { formerNamesOf, originWith } from "../platform/config/names.ts";
export type { FormerNames, SiteNames } from "../platform/config/names.ts";
export { domain } from "../platform/config/parse.ts";
export type { Env } from "../platform/config/parse.ts";
export type { Db, Fragment, Tx } from "../platform/db/index.ts";
export { holdDatabase } from "../platform/db/single.ts";
export { refuseUnfinishedMove, selectFormerNames } from "../platform/db/site-names.ts";
export { ConfigError } from "../platform/errors.ts";
