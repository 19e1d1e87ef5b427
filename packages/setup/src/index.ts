// The interface of set-ups for the command line.

export { setupCommand } from "./command.ts";
