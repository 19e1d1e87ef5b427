// The interface of administration: what declares its commands, two that are in no group, new accounts for a set-up, and
// the progress and the files of commands. Nothing of the server is loaded before one of them is called, since help is
// printed without it.

export { declareCommands } from "./declare/index.ts";
export { bar, megabytes, progressLine } from "./progress.ts";

type Files = typeof import("./text-files.ts");

/** Reads a file; `-` means standard input. */
export const readText: Files["readText"] = async (path) =>
  (await import("./text-files.ts")).readText(path);

type Accounts = typeof import("./accounts.ts");
type Upkeep = typeof import("./upkeep/index.ts");

export const makeAccount: Accounts["makeAccount"] = async (...values) =>
  (await import("./accounts.ts")).makeAccount(...values);

export const maintenanceCommand: Upkeep["maintenanceCommand"] = async (options) =>
  (await import("./upkeep/index.ts")).maintenanceCommand(options);

export const selfDestructCommand: Upkeep["selfDestructCommand"] = async (options) =>
  (await import("./upkeep/index.ts")).selfDestructCommand(options);
