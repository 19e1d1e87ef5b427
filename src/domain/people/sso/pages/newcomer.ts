// Somebody whom a provider vouches for and who has no account yet: chooses a handle, once, or links an account.

import type { App } from "../../../../platform/app.ts";
import { DomainError } from "../../../../platform/errors.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { asAnybody, goTo, refusalOf, sendCard, signInPath } from "../../users/pages/components.ts";
import type { CardContext } from "../../users/pages/components.ts";
import {
  checkForm,
  isFormOfVisit,
  rememberSignUp,
  ssoTokens,
  visitor,
} from "../../users/pages/cookies.ts";
import { EMAIL, formOf, usernameField } from "../../users/pages/fields.ts";
import { letIn } from "../../users/pages/let-in.ts";
import { HOME, asMember, checkPassword, ownPassword } from "../../users/pages/member.ts";
import type { PageContext } from "../../users/pages/member.ts";
import { agreementParts, birthField, inputOf } from "../../users/pages/sign-up.ts";
import { sentPath } from "../../users/pages/standing.ts";
import { findPerson } from "../../users/sign-in.ts";
import { termsDays } from "../../users/sign-up.ts";
import { currentRules } from "../../../base/rules/rules.ts";
import { find, take } from "../attempts.ts";
import type { Newcomer } from "../attempts.ts";
import { enter, hasAccount, link } from "../enter.ts";
import { findSource } from "../directory.ts";
import { signUpBy } from "../sign-up.ts";
import type { Source } from "../tables.ts";
import { WAYS } from "./sign-in.ts";

const NEW = "/auth/sso/new";
const LINK = "/auth/sso/link";

type Waiting = Newcomer & { provider: Source; token: string };

/** Returns whom a provider vouched for in this browser; null once that was used, or is too old. */
const waiting = async ({ app, request }: CardContext): Promise<Waiting | null> => {
  const kept = await find(app, "newcomer", ssoTokens(app, request));
  const provider = kept && (await findSource(app, kept.value.providerId));
  return kept && provider ? { ...kept.value, provider, token: kept.token } : null;
};

/** The name by which people recognise who they are at the provider. */
const nameOf = ({ signIn: { identity } }: Newcomer): string =>
  identity.email ?? identity.name ?? identity.username ?? identity.subject;

/** Returns where somebody links an account that is theirs, which they sign in to first. */
const linkPath = async ({ app, request }: CardContext): Promise<string> => {
  const isSignedIn = (await visitor(app, request)) !== null;
  return isSignedIn ? LINK : signInPath(LINK, "force");
};

/** Offers nothing but the account that has the address, since no other can be made with it. */
const showTaken = async (context: CardContext, newcomer: Waiting) => {
  const link = await linkPath(context);
  const label = link === LINK ? "sso.link_it" : "sign_in.title";
  return sendCard(context, {
    title: "sso.link",
    parts: [
      { notice: { say: "sso.taken" } },
      { text: { strong: nameOf(newcomer) } },
      { text: { link, text: { say: label }, isButton: true } },
    ],
  });
};

const showForm = async (context: CardContext, newcomer: Waiting) => {
  const { app } = context;
  const { provider, signIn } = newcomer;
  const { email, emailVerified, ...identity } = signIn.identity;
  const { name } = provider;
  if (await hasAccount(app, signIn.identity)) return showTaken(context, newcomer);
  // The field below has the address.
  const who = { strong: identity.name ?? identity.username ?? nameOf(newcomer) };
  const { proposeHandle } = await import("#sso-accounts");
  const terms = await termsDays(app);
  return sendCard(context, {
    title: "sso.choose",
    parts: [
      emailVerified
        ? { text: { say: "sso.email", values: { name }, with: { email: { strong: email } } } }
        : { text: { say: "sso.known_as", values: { name }, with: { who } } },
      { text: { say: "sso.choose_name" } },
      formOf(
        NEW,
        "sso.create",
        [
          usernameField(app.config.site.localDomain),
          !emailVerified && { ...EMAIL, hint: "field.email_hint" },
          await birthField(app),
        ],
        {
          hidden: { terms: terms.current ?? "" },
          values: { username: await proposeHandle(app, signIn.identity), email: email ?? "" },
          after: agreementParts(await currentRules(app), terms),
        },
      ),
      { below: [[await linkPath(context), "sso.have_account"]] },
    ],
  });
};

const show = async (context: CardContext) => {
  const newcomer = await waiting(context);
  return newcomer ? showForm(context, newcomer) : goTo(context.reply, "/auth/sign_in");
};

const finish = async (
  context: CardContext,
  { provider, signIn, token, returnTo }: Waiting,
  { userId, identityId }: { userId: string; identityId: string },
) => {
  const { app, reply } = context;
  await take(app, "newcomer", token);
  const who = (await findPerson(app, userId))!;
  if (who.standing === "unconfirmed") {
    rememberSignUp(app, reply, userId, returnTo);
    return goTo(reply, sentPath(userId));
  }
  const began = { identityId, ...signIn.grant };
  return letIn(context, who, { returnTo, isStrong: provider.settings.isStrong, began });
};

const create = async (context: CardContext, newcomer: Waiting) => {
  const { app, request } = context;
  const { provider, signIn } = newcomer;
  try {
    const form = inputOf(readTexts(request.body), request);
    return await finish(context, newcomer, await signUpBy(app, provider, signIn, form));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // A form that was sent twice made the account the first time.
    const entry = await enter(app, provider, signIn);
    if (entry.kind === "known") return finish(context, newcomer, entry);
    return showForm({ ...context, refused: refusalOf(context, error) }, newcomer);
  }
};

const takeForm = async (context: CardContext) => {
  const { app, request, reply } = context;
  // A form that is sent twice signs in by the first, before which it was the visitor's.
  if (isFormOfVisit(app, request) && (await visitor(app, request))) return goTo(reply, HOME);
  checkForm(app, request);
  const newcomer = await waiting(context);
  return newcomer ? create(context, newcomer) : goTo(reply, "/auth/sign_in");
};

const showLink = async (context: PageContext) => {
  const newcomer = await waiting(context);
  if (!newcomer) return goTo(context.reply, WAYS);
  const { name } = newcomer.provider;
  const who = { strong: nameOf(newcomer) };
  return sendCard(context, {
    title: "sso.link",
    parts: [
      {
        text: {
          say: "sso.link_text",
          values: { name, account: context.who.username },
          with: { who },
        },
      },
      formOf(LINK, "sso.link_it", [ownPassword(context)], { username: context.who.username }),
      { below: [[NEW, "sso.choose"]] },
    ],
  });
};

const takeLink = async (context: PageContext) => {
  const { app, reply, who } = context;
  const newcomer = await waiting(context);
  if (!newcomer) return goTo(reply, WAYS);
  try {
    await checkPassword(context);
    await link(app, who.userId, newcomer.provider, newcomer.signIn);
  } catch (error) {
    return showLink({ ...context, refused: refusalOf(context, error) });
  }
  await take(app, "newcomer", newcomer.token);
  return goTo(reply, newcomer.returnTo ?? `${WAYS}?done=added`);
};

export const newcomerPages = (server: Server, app: App): void => {
  const page = asAnybody(app);
  server.get(NEW, page(show));
  server.post(NEW, page(takeForm));
  server.get(LINK, asMember(app, showLink));
  server.post(LINK, asMember(app, takeLink));
};
