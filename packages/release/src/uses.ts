// What this package uses of the server.

export { isLeftOut } from "../../../bin/install/left-out.ts";
export {
  clientPackages,
  loadedPackages,
  nameOf,
  neededBy,
  serverPackages,
} from "../../../bin/install/lock.ts";
export type { Lock, Locked, Platform } from "../../../bin/install/lock.ts";
export { strip } from "../../../bin/install/strip.ts";
