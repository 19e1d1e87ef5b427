// What this package uses of the server.

export type { App } from "../../../src/platform/app.ts";
export { isUniqueViolation } from "../../../src/platform/db/index.ts";
export type { Db, Tx } from "../../../src/platform/db/index.ts";
export {
  DomainError,
  Unprocessable,
  checkAll,
  faultIf,
  faultOf,
  nullOn,
  orNotFound,
} from "../../../src/platform/errors.ts";
export type { VerbOf } from "../../../src/domain/base/audit/actions.ts";
export { recorded } from "../../../src/domain/base/audit/recorded.ts";
export { requireMay } from "../../../src/domain/base/roles/acts.ts";
export { effectiveBits } from "../../../src/domain/base/roles/permissions.ts";
export type { Actor } from "../../../src/domain/base/roles/permissions.ts";
export { EVERYONE_ID, OWNER_ID, listRoles } from "../../../src/domain/base/roles/roles.ts";
export type { RoleRow } from "../../../src/domain/base/roles/tables.ts";
export { announceRevoked, revokeAllOfUsers } from "../../../src/domain/people/oauth/revoke.ts";
export { FetchFailed, FetchRefused } from "../../../src/platform/fetch/errors.ts";
export { UploadedFile } from "../../../src/platform/http/uploaded-file.ts";
export { uploadFolder } from "../../../src/platform/storage/uploads.ts";
export { updateProfile } from "../../../src/domain/people/accounts/update-profile.ts";
export type { OwnProfile } from "../../../src/domain/people/sso/events.ts";
export { markOf, requireAsDrawn } from "../../../src/platform/drawn.ts";
export { firstRow, onlyRow, onlyValue, valuesOf } from "../../../src/platform/db/rows.ts";
export { says } from "../../../src/platform/text/texts.ts";
export type { Said } from "../../../src/platform/text/texts.ts";
export { noticeOf } from "../../../src/domain/people/users/security-notices.ts";
export { seal, unseal } from "../../../src/platform/seal.ts";
export { keepInStep } from "../../../src/domain/people/sso/enter.ts";
export {
  askAgain,
  directoryOf,
  examineSource,
  findSource,
  listSources,
} from "../../../src/domain/people/sso/directory.ts";
export { endAll, endAllIn } from "../../../src/domain/people/sso/leave.ts";
export { askedAt, providerFault, protocolOf } from "../../../src/domain/people/sso/protocols.ts";
export {
  findAdded,
  listProviders,
  purposeOf,
  shownOf,
  signedOutUrl,
  takeProvider,
} from "../../../src/domain/people/sso/providers.ts";
export { mayEnter } from "../../../src/domain/people/sso/rules.ts";
export { idTokenPurpose, tokenPurpose } from "../../../src/domain/people/sso/sessions.ts";
export { DEFAULT_SETTINGS } from "../../../src/domain/people/sso/tables.ts";
export type {
  BegunSession,
  IdentityRow,
  OidcProvider,
  Provider,
  ProviderRow,
  ProviderSettings,
  Source,
} from "../../../src/domain/people/sso/tables.ts";
export type { SignIn } from "../../sso/src/index.ts";
export { usernameFaults } from "../../../src/domain/people/users/create.ts";
export { endSessionsIn } from "../../../src/domain/people/users/session.ts";
export { reservedFault } from "../../../src/domain/people/users/sign-up.ts";
export type { End } from "../../../src/domain/people/sso/attempts.ts";
export { scimError } from "../../../src/domain/people/sso/scim-error.ts";
export { told } from "../../../src/domain/people/sso/told.ts";
export { newSecret, tokenHash } from "../../../src/domain/people/oauth/secret.ts";
export { isEmailAddress } from "../../../src/platform/text/email-address.ts";
export { parseId } from "../../../src/platform/ids/index.ts";
export { isRecord, parseValue } from "../../../src/platform/json/read.ts";
