// Lets in whoever has proved who they are, by a password, a passkey or a provider: the one path to a session.

import type { FastifyReply } from "fastify";
import { newSecret, tokenHash } from "../../oauth/secret.ts";
import type { Began } from "../../sso/sessions.ts";
import { mayUseRights } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { STEP_SECONDS, clearStep, setStep, signIn, stepToken } from "./cookies.ts";
import { goTo } from "./components.ts";
import type { CardContext } from "./components.ts";
import { goOn } from "./member.ts";
import { sendStanding } from "./standing.ts";

export type Step = {
  userId: string;
  passwordMark: string;
  returnTo: string | null;
  began?: Began | null;
};

/** Returns where the step of this token is stored. */
export const stepKey = (token: string): string => `step:${tokenHash(token).toString("base64url")}`;

type Proof = {
  returnTo: string | null;
  /** Whether it stands for a second factor. */
  isStrong?: boolean;
  /** How a provider proved it. */
  began?: Began | null;
};

/** Redirects to the page that requires the code. */
const goToSecondStep = async (
  { app, reply }: CardContext,
  who: SignedIn,
  { returnTo, began = null }: Proof,
): Promise<FastifyReply> => {
  const token = newSecret();
  const step: Step = { userId: who.userId, passwordMark: who.passwordMark, returnTo, began };
  await app.kv.set(stepKey(token), JSON.stringify(step), STEP_SECONDS);
  setStep(app, reply, token);
  return goTo(reply, "/auth/sign_in/code");
};

/**
 * Signs in somebody who has proved who they are, by whatever way: unless their standing forbids it, and once they have
 * entered a code, if they have one.
 */
export const letIn = async (
  context: CardContext,
  who: SignedIn,
  proof: Proof,
): Promise<FastifyReply> => {
  const { app, request, reply } = context;
  const { returnTo, isStrong = false, began = null } = proof;
  if (!mayUseRights(who)) return sendStanding(context, who);
  if (who.twoFactor && !isStrong) return goToSecondStep(context, who, proof);
  if (stepToken(app, request)) clearStep(app, reply);
  await signIn(context, who, began);
  return goOn(context, { who, returnTo });
};
