// Records commands of maintenance in the audit log, which change too many rows to be recorded one by one. Others are
// recorded by the command of the domain that they call.

import type { Command } from "commander";
import { audit } from "../domain/base/audit/audit.ts";
import { COMMAND_LINE } from "../domain/base/roles/permissions.ts";
import type { App } from "../platform/app.ts";

/** Commands of maintenance on many rows, which are not recorded one by one: only that they ran. */
export const RUNS: ReadonlySet<string> = new Set([
  "accounts refresh",
  "accounts cull",
  "accounts prune",
  "media remove",
  "media refresh",
  "media move",
  "statuses remove",
  "preview-cards remove",
  "feeds build",
  "feeds clear",
  "cache clear",
  "cache recount",
  "search reindex",
  "maintenance",
  "export",
]);

/** Returns a command's path: `accounts create`. */
export const pathOf = (command: Command): string => {
  const names: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name());
  return names.join(" ");
};

let running: string | null = null;

/** Remembers the command before it does anything. */
export const noteCommand = (command: Command): void => {
  const isDry = (command.opts() as { dryRun?: boolean }).dryRun === true;
  const path = pathOf(command);
  running = RUNS.has(path) && !isDry ? path : null;
};

/** Records a maintenance command once, before it changes anything. */
export const recordRun = async (app: App): Promise<void> => {
  const label = running;
  running = null;
  if (label === null) return;
  const target = { type: "command", id: null, label };
  await audit(app, app.sql, COMMAND_LINE, { action: "command.run", target });
};
