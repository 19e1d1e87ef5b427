// The public API: a PostgreSQL that is started, found, checked and stopped by the program that uses it.

import { findNative, hydrateLinks } from "./binaries.ts";

export { builtInVersion } from "./checked-binaries.ts";
export { hasCluster as hasDatabase } from "./cluster.ts";
export { connectEmbedded, startEmbedded } from "./database.ts";
export type { ConnectOptions, EmbeddedDatabase, EmbeddedOptions } from "./database.ts";
export { EmbeddedPostgresError } from "./error.ts";
export type { FaultCode, Words } from "./error.ts";
export type { Exit } from "./process.ts";

/**
 * Makes the links between libraries that npm packages cannot have. A start does it too, but not in an image whose
 * folders are read-only by then. Throws EmbeddedPostgresError where there are no programs, or no links can be written.
 */
export const linkBinaries = (native = findNative()): void => hydrateLinks(native);
