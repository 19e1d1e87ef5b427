// What this package uses of the server.

export { bar, progressLine } from "../../../src/cli/progress.ts";
export { requireDataDir, withApp } from "../../../src/cli/session.ts";
export { allTerms } from "../../../src/domain/about/instance/terms.ts";
export { addStored, writeContents } from "../../../src/domain/about/transfers/archive/contents.ts";
export { writeDomainCsv } from "../../../src/domain/base/blocklists/csv.ts";
export {
  allDomainAllows,
  allDomainBlocks,
  allEmailDomainBlocks,
  allIpBlocks,
} from "../../../src/domain/base/blocklists/lists.ts";
export { everyEmoji } from "../../../src/domain/base/emojis/own.ts";
export { currentRules } from "../../../src/domain/base/rules/rules.ts";
export { DEFINITIONS } from "../../../src/domain/base/settings/definitions.ts";
export { allSettings } from "../../../src/domain/base/settings/settings.ts";
export type { App } from "../../../src/platform/app.ts";
export { jsonLines, jsonText, tarSink } from "../../../src/platform/archive-sinks.ts";
export type { Sink } from "../../../src/platform/archive-sinks.ts";
export type { Db } from "../../../src/platform/db/index.ts";
export { ConfigError, NotFound } from "../../../src/platform/errors.ts";
export { isRecord } from "../../../src/platform/json/read.ts";
export { makeFolder } from "../../../src/platform/make-folder.ts";
export { writeCsv } from "../../../src/platform/text/csv.ts";
export { VERSION } from "../../../src/platform/version.ts";
