// What the command line needs of the import.

export { importMastodon } from "./command.ts";
