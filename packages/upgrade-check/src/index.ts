// The interface of upgrades, and of what is looked at before, for the command line.

export { upgradeCommand } from "./command.ts";
