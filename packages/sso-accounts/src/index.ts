// The public API.

export { checkDue } from "./check.ts";
export { endAt, endThere, takeLogout } from "./logout.ts";
export { addProvider, changeProvider, peopleOf, removeProvider, tryProvider } from "./manage.ts";
export type { ProviderInput, Saved } from "./manage.ts";
export { takeProfile } from "./profile.ts";
export { removeWay } from "./remove-way.ts";
export { proposeHandle } from "./propose.ts";
export { answerScim } from "./scim/answer.ts";
export { endScimToken, makeScimToken, scimTokenTimes } from "./scim/tokens.ts";
