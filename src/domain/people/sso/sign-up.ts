// Makes the account of somebody new who came by a provider, with the handle that they chose, and takes over their name
// and picture once.

import { randomUUID } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SignIn } from "#sso";
import type { App } from "../../../platform/app.ts";
import { DomainError, Forbidden, nullOn } from "../../../platform/errors.ts";
import { FetchFailed, FetchRefused } from "../../../platform/fetch/errors.ts";
import { UploadedFile } from "../../../platform/http/uploaded-file.ts";
import { uploadFolder } from "../../../platform/storage/uploads.ts";
import { says } from "../../../platform/text/texts.ts";
import { updateProfile } from "../accounts/update-profile.ts";
import { signUp } from "../users/sign-up.ts";
import type { SignUp } from "../users/sign-up.ts";
import "./events.ts";
import type { OwnProfile } from "./events.ts";
import { addFirst } from "./enter.ts";
import type { Provider } from "./tables.ts";

/** What the person enters; `email` counts where the provider vouches for none. */
export type NewcomerForm = Omit<SignUp, "password" | "provider" | "inviteCode" | "appId">;

export type Made = { userId: string; identityId: string };

/** Throws as `signUp` does, and Forbidden where somebody else has become that person meanwhile. */
export const signUpBy = async (
  app: App,
  provider: Provider,
  signIn: SignIn,
  form: NewcomerForm,
): Promise<Made> => {
  const { identity } = signIn;
  const isVerified = identity.emailVerified && identity.email !== null;
  const email = isVerified ? identity.email! : form.email;
  const input = { ...form, email, password: null, appId: null, inviteCode: null };
  return signUp(app, { ...input, provider: { isConfirmed: isVerified } }, async (tx, created) => {
    const { userId, accountId } = created;
    const identityId = await addFirst(app, tx, userId, provider, signIn);
    if (!identityId) throw new Forbidden(says("sso.of_other", { provider: provider.name }));
    const { name, picture } = identity;
    if (name || picture) await app.jobs.add(tx, "sso.profile", { accountId, name, picture });
    return { userId, identityId };
  });
};

const MAX_PICTURE = 8 * 1024 * 1024;

const takePicture = async (app: App, accountId: string, url: string): Promise<void> => {
  const path = join(uploadFolder(app.config.dataDir), randomUUID());
  try {
    const { status } = await app.fetch.request(url, { maxBytes: MAX_PICTURE, toFile: path });
    if (status !== 200) return;
    const avatar = new UploadedFile("picture", "", path, (await stat(path)).size);
    await updateProfile(app, accountId, { avatar });
  } finally {
    await rm(path, { force: true });
  }
};

const isNoPicture = (error: unknown): boolean =>
  error instanceof FetchRefused || error instanceof FetchFailed || error instanceof DomainError;

/** Handles the job; an account is no worse for a name or picture that does not fit. */
export const takeProfile = async (
  app: App,
  { accountId, name, picture }: OwnProfile,
): Promise<void> => {
  const isUnfit = (error: unknown): boolean => error instanceof DomainError;
  if (name) await nullOn(isUnfit, updateProfile(app, accountId, { display_name: name }));
  if (picture) await nullOn(isNoPicture, takePicture(app, accountId, picture));
};
