// The interface of the server for packages/nodeinfo-validator.

export { readText } from "../cli/text-files.ts";
export { ConfigError } from "../platform/errors.ts";
