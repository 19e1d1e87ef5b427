// What this package uses of the server.

export { withApp } from "../../../src/cli/session.ts";
export { examineSource, listSources } from "../../../src/domain/people/sso/directory.ts";
export { saidOf, storeFindings } from "../../../src/domain/staff/measures/health.ts";
export type { FindingState, Found } from "../../../src/domain/staff/measures/health.ts";
export { INSTANCE_ACTOR_NAME } from "../../../src/federation/instance-actor.ts";
export type { App } from "../../../src/platform/app.ts";
export { DRILL_LIMIT_MS, judgeOutcomes } from "../../../src/platform/backup/age.ts";
export { selectLastDrill, selectOutcomes } from "../../../src/platform/backup/queries.ts";
export type { Outcome } from "../../../src/platform/backup/queries.ts";
export {
  isDomainPublic,
  readEnvironment,
  readVariables,
} from "../../../src/platform/config/config.ts";
export type { Config } from "../../../src/platform/config/config.ts";
export type { FormerNames } from "../../../src/platform/config/names.ts";
export { sqlState } from "../../../src/platform/db/index.ts";
export { firstRow } from "../../../src/platform/db/rows.ts";
export { ConfigError, Unprocessable } from "../../../src/platform/errors.ts";
export type { Db } from "../../../src/platform/db/index.ts";
export { pendingMigrations } from "../../../src/platform/db/migrate.ts";
export { DISK_WARN_AT } from "../../../src/platform/health/pulse.ts";
export { PROBE_HEADER, probeToken } from "../../../src/platform/http/probe.ts";
export type { Seen } from "../../../src/platform/http/probe.ts";
export { verifySmtp } from "../../../src/platform/mail/transport.ts";
export { reasonOf } from "../../../src/platform/reason.ts";
export { newKey } from "../../../src/platform/storage/index.ts";
export type { Files } from "../../../src/platform/storage/index.ts";
export { terminalLocale } from "../../../src/platform/text/locale.ts";
export { toMultikey } from "../../../src/platform/text/multibase.ts";
export { says, textsIn } from "../../../src/platform/text/texts.ts";
export type { Key, Texts, Values } from "../../../src/platform/text/texts.ts";
export { isNewer, VERSION } from "../../../src/platform/version.ts";
