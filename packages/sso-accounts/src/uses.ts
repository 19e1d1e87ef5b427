// What this package uses of the server.

export type { App } from "../../../src/platform/app.ts";
export type { Db } from "../../../src/platform/db/index.ts";
export { DomainError, Unprocessable, nullOn } from "../../../src/platform/errors.ts";
export { FetchFailed, FetchRefused } from "../../../src/platform/fetch/errors.ts";
export { UploadedFile } from "../../../src/platform/http/uploaded-file.ts";
export { uploadFolder } from "../../../src/platform/storage/uploads.ts";
export { updateProfile } from "../../../src/domain/people/accounts/update-profile.ts";
export type { OwnProfile } from "../../../src/domain/people/sso/events.ts";
export { onlyValue } from "../../../src/platform/db/rows.ts";
export { says } from "../../../src/platform/text/texts.ts";
export { noticeOf } from "../../../src/domain/people/users/security-notices.ts";
export { unseal } from "../../../src/platform/seal.ts";
export { keepInStep } from "../../../src/domain/people/sso/enter.ts";
export { askAgain, directoryOf } from "../../../src/domain/people/sso/directory.ts";
export { endAll } from "../../../src/domain/people/sso/leave.ts";
export { faultOf, protocolOf } from "../../../src/domain/people/sso/protocols.ts";
export { listProviders } from "../../../src/domain/people/sso/providers.ts";
export { mayEnter } from "../../../src/domain/people/sso/rules.ts";
export { tokenPurpose } from "../../../src/domain/people/sso/sessions.ts";
export type { SignIn } from "../../sso/src/index.ts";
export type { IdentityRow, Provider, Source } from "../../../src/domain/people/sso/tables.ts";
export { usernameFaults } from "../../../src/domain/people/users/create.ts";
export { endSessionsIn } from "../../../src/domain/people/users/session.ts";
export { reservedFault } from "../../../src/domain/people/users/sign-up.ts";
