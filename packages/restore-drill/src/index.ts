// What the command line needs of drills.

export { drillCommand } from "./command.ts";
