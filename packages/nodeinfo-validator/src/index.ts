// The interface of the NodeInfo validator for the command line.

export { validateCommand } from "./command.ts";
