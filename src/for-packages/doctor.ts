// The interface of the server for packages/doctor.

export { withApp } from "../cli/session.ts";
export { storeFindings } from "../domain/staff/measures/health.ts";
export { INSTANCE_ACTOR_NAME } from "../federation/instance-actor.ts";
export type { App } from "../platform/app.ts";
export { DRILL_LIMIT_MS, judgeOutcomes } from "../platform/backup/age.ts";
export { selectLastDrill, selectOutcomes } from "../platform/backup/queries.ts";
export type { Outcome } from "../platform/backup/queries.ts";
export { asTyped } from "../platform/command-name.ts";
export { isDomainPublic } from "../platform/config/config.ts";
export type { Config } from "../platform/config/config.ts";
export type { FormerNames } from "../platform/config/names.ts";
export { sqlState } from "../platform/db/index.ts";
export type { Db } from "../platform/db/index.ts";
export { pendingMigrations } from "../platform/db/migrate.ts";
export { DISK_WARN_AT } from "../platform/health/pulse.ts";
export { PROBE_HEADER, probeToken } from "../platform/http/probe.ts";
export type { Seen } from "../platform/http/probe.ts";
export { verifySmtp } from "../platform/mail/transport.ts";
export { reasonOf } from "../platform/reason.ts";
export { newKey } from "../platform/storage/index.ts";
export type { Files } from "../platform/storage/index.ts";
