// The interface of the server for packages/export-server.

export { bar, progressLine } from "../cli/progress.ts";
export { requireDataDir, withApp } from "../cli/session.ts";
export { allTerms } from "../domain/about/instance/terms.ts";
export { addStored, writeContents } from "../domain/about/transfers/archive/contents.ts";
export { writeDomainCsv } from "../domain/base/blocklists/csv.ts";
export {
  allDomainAllows,
  allDomainBlocks,
  allEmailDomainBlocks,
  allIpBlocks,
} from "../domain/base/blocklists/lists.ts";
export { everyEmoji } from "../domain/base/emojis/own.ts";
export { currentRules } from "../domain/base/rules/rules.ts";
export { DEFINITIONS } from "../domain/base/settings/definitions.ts";
export { allSettings } from "../domain/base/settings/settings.ts";
export type { App } from "../platform/app.ts";
export { jsonLines, jsonText, tarSink } from "../platform/archive-sinks.ts";
export type { Sink } from "../platform/archive-sinks.ts";
export type { Db } from "../platform/db/index.ts";
export { ConfigError, NotFound } from "../platform/errors.ts";
export { isRecord } from "../platform/json/read.ts";
export { makeFolder } from "../platform/make-folder.ts";
export { writeCsv } from "../platform/text/csv.ts";
export { VERSION } from "../platform/version.ts";
