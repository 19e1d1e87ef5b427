// The interface of the import for the command line.

export { importMastodon } from "./command.ts";
