// What this package uses of the server.

export { readText } from "../../../src/cli/text-files.ts";
export { ConfigError } from "../../../src/platform/errors.ts";
