// Makes the account of somebody new who came by a provider, with the handle that they chose.

import type { SignIn } from "#sso";
import type { App } from "../../../platform/app.ts";
import { Forbidden } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { signUp } from "../users/sign-up.ts";
import type { SignUp } from "../users/sign-up.ts";
import "./events.ts";
import { addFirst } from "./enter.ts";
import type { Source } from "./tables.ts";

/** What the person enters; `email` counts where the provider vouches for none. */
export type NewcomerForm = Omit<SignUp, "password" | "provider" | "inviteCode" | "appId">;

export type Made = { userId: string; identityId: string };

/** Throws as `signUp` does, and Forbidden where somebody else has become that person meanwhile. */
export const signUpBy = async (
  app: App,
  provider: Source,
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
