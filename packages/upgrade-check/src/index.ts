// The interface of checks before an upgrade for the command line.

export { upgradeCommand } from "./command.ts";
