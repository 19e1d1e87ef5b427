// The public API.

export { checkDue } from "./check.ts";
export { takeLogout } from "./logout.ts";
export { takeProfile } from "./profile.ts";
export { removeWay } from "./remove-way.ts";
export { proposeHandle } from "./propose.ts";
