// The interface of administration: what declares its commands, two that are in no group, and new accounts for a set-up.
// Nothing of the server is loaded before one of them is called, since help is printed without it.

export { declareCommands } from "./declare/index.ts";

type Accounts = typeof import("./accounts.ts");
type Upkeep = typeof import("./upkeep/index.ts");

export const makeAccount: Accounts["makeAccount"] = async (...values) =>
  (await import("./accounts.ts")).makeAccount(...values);

export const maintenanceCommand: Upkeep["maintenanceCommand"] = async (options) =>
  (await import("./upkeep/index.ts")).maintenanceCommand(options);

export const selfDestructCommand: Upkeep["selfDestructCommand"] = async (options) =>
  (await import("./upkeep/index.ts")).selfDestructCommand(options);
