// Goes on with whom a provider or the directory vouches for: signs them in, or lets them choose a handle.

import type { FastifyReply } from "fastify";
import type { SignIn, SsoError } from "#sso";
import { Forbidden, orNotFound } from "../../../../platform/errors.ts";
import { isInPlace } from "../../../../platform/http/fault-page.ts";
import { goTo, problemOf, sendCard, signInPath } from "../../users/pages/components.ts";
import type { CardContext, Refusal } from "../../users/pages/components.ts";
import { keepSsoTokens, ssoTokens } from "../../users/pages/cookies.ts";
import { letIn } from "../../users/pages/let-in.ts";
import { findPerson } from "../../users/sign-in.ts";
import { keep } from "../attempts.ts";
import { directoryOf } from "../directory.ts";
import { findProvider } from "../providers.ts";
import { enter } from "../enter.ts";
import type { Source } from "../tables.ts";

/** Says on the form what is wrong with the directory; the log has the reason. */
export const directoryProblem = (
  { app, t }: CardContext,
  fault: SsoError["fault"],
  { message: why }: Error,
): Refusal => {
  const { name } = directoryOf(app)!;
  app.log.warn({ directory: name, fault, why }, "the directory could not be asked");
  return { status: 502, problem: t(`sso.fault.${fault}`, { name }) };
};

/** Says why somebody is not let in, and how they come as someone else, for which the provider has to forget them. */
const sendRefused = async (
  context: CardContext,
  source: Source,
  { signIn: { grant }, returnTo }: { signIn: SignIn; returnTo: string | null },
  refusal: Forbidden,
): Promise<FastifyReply> => {
  const { app, t } = context;
  const provider = await findProvider(app, source.id);
  const end =
    provider && (await (await import("#sso-accounts")).endAt(app, provider, grant.idToken));
  const values = { name: source.name };
  return sendCard(context, {
    title: "sso.failed",
    status: 403,
    parts: [
      { text: problemOf(t, refusal) },
      end && { text: { say: "sso.someone_else", values } },
      end && { text: { link: end.url, text: { say: "sso.leave", values }, isButton: true } },
      { below: [[signInPath(returnTo, "force"), "sign_in.again"]] },
    ],
  });
};

/** Shows people whom the rules do not let in why. */
export const goIn = async (
  context: CardContext,
  source: Source,
  signIn: SignIn,
  returnTo: string | null,
): Promise<FastifyReply> => {
  const { app, reply } = context;
  const entry = await enter(app, source, signIn).catch((error: unknown) => {
    if (error instanceof Forbidden && !isInPlace(context.request)) return error;
    throw error;
  });
  if (entry instanceof Forbidden) return sendRefused(context, source, { signIn, returnTo }, entry);
  if (entry.kind === "known") {
    const who = orNotFound(await findPerson(app, entry.userId));
    const began = { identityId: entry.identityId, ...signIn.grant };
    return letIn(context, who, { returnTo, isStrong: source.settings.isStrong, began });
  }
  const token = await keep(app, "newcomer", { providerId: source.id, signIn, returnTo });
  keepSsoTokens(app, reply, [token, ...ssoTokens(app, context.request)]);
  return goTo(reply, "/auth/sso/new");
};
