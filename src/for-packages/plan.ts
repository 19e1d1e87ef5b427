// The interface of the server for packages/plan.

export { ConfigError } from "../platform/errors.ts";
