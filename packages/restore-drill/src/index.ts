// The interface of drills for the command line.

export { drillCommand } from "./command.ts";
