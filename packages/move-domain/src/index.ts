// The interface of moves to another domain for the command line.

export { moveDomainCommand } from "./command.ts";
