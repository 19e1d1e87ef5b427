// What this package uses of the server.

export { ConfigError } from "../../../src/platform/errors.ts";
