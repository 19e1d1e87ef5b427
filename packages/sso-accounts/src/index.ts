// The public API.

export { checkDue } from "./check.ts";
export { takeLogout } from "./logout.ts";
export { proposeHandle } from "./propose.ts";
