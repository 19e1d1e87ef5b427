// All that packages/plan uses of the server.

export { ConfigError } from "../platform/errors.ts";
