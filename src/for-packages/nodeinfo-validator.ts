// The interface of the server for packages/nodeinfo-validator.

export { ConfigError } from "../platform/errors.ts";
