// The page to sign up.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Field, Key, Part } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { Forbidden } from "../../../../platform/errors.ts";
import { readingLanguages } from "../../../../platform/http/accept-language.ts";
import { addressKey, countAttempt, OverLimit } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { textsIn } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { currentRules } from "../../../base/rules/rules.ts";
import type { RuleRow } from "../../../base/rules/tables.ts";
import { getSetting } from "../../../base/settings/settings.ts";
import { findInvite } from "../invites.ts";
import type { UsableInvite } from "../invites.ts";
import { mayUseRights } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { minimumAge, registrationMode, signUp, termsDays } from "../sign-up.ts";
import type { RegistrationMode, TermsDays } from "../sign-up.ts";
import { checkForm, rememberSignUp, visitor } from "./cookies.ts";
import { personFields, formOf } from "./fields.ts";
import { HOME } from "./member.ts";
import { asAnybody, goTo, goalOf, pathTo, problemOf, refusalOf, sendCard } from "./components.ts";
import type { CardContext, Refusal } from "./components.ts";
import { providerActs } from "../../sso/pages/buttons.ts";
import { checkEntered } from "./sign-in.ts";
import { noMailNotice, sentPath } from "./standing.ts";

/** Limit of tries of invitation codes, so that guessing costs this server little. */
const INVITES_PER_ADDRESS: Limit = { name: "invite:ip", by: "address", count: 60, seconds: 300 };

const toSignIn = (context: CardContext): Part => ({
  below: [[pathTo("/auth/sign_in", goalOf(context)), "sign_in.title"]],
  before: "sign_up.have_account",
});

/** Opens a document beside the form, so that what was entered stays. */
const document = (link: string, say: Key) => ({ link, text: { say }, isBeside: true }) as const;

const termsLink = (day: string, text: Key) => document(`/terms-of-service/${day}`, text);

/** Declares the agreement to the terms in force. Those that will be are announced; nobody agrees to them yet. */
const agreement = (withRules: boolean, { current, next }: TermsDays): Field => {
  const privacy = document("/privacy-policy", "sign_up.privacy");
  const [alone, all] = current
    ? (["sign_up.agree_terms", "sign_up.agree_all"] as const)
    : (["sign_up.agree_privacy", "sign_up.agree_rules"] as const);
  const terms = current && termsLink(current, "sign_up.terms");
  const name = current ? "sign_up.new_terms_next" : "sign_up.new_terms_first";
  return {
    name: "agreement",
    isBox: true,
    isRequired: true,
    label: "sign_up.terms",
    drawn: { say: withRules ? all : alone, with: { terms, privacy } },
    note: next && {
      say: "sign_up.new_terms",
      with: { terms: termsLink(next, name), day: { day: new Date(next) } },
    },
  };
};

const BIRTH = {
  name: "date_of_birth",
  type: "date",
  label: "sign_up.birth",
  autocomplete: "bday",
} as const;

const REASON = {
  name: "reason",
  type: "textarea",
  label: "sign_up.reason",
  hint: "sign_up.reason_hint",
  max: 420,
} as const;

const rulesPart = (rules: RuleRow[]): Part => ({
  items: rules.map(({ text, hint }) => [text, hint && { soft: hint }]),
  kind: "rules",
});

/** Returns the field of the date of birth, where there is a minimum age. */
export const birthField = async (app: App): Promise<Field | false> => {
  const count = await minimumAge(app);
  return count !== null && { ...BIRTH, hint: ["sign_up.birth_hint", { count }] };
};

const fieldsOf = async (app: App, isAsked: boolean): Promise<(Field | false)[]> => [
  ...personFields(app.config.site.localDomain),
  await birthField(app),
  isAsked && REASON,
];

/** Declares the rules, and the box by which somebody agrees to them and the terms. */
export const agreementParts = (rules: RuleRow[], terms: TermsDays): (Part | false)[] => [
  rules.length > 0 && { heading: "sign_up.rules", anchor: "rules" },
  rules.length > 0 && rulesPart(rules),
  { fields: { fields: [agreement(rules.length > 0, terms)] } },
];

const invitation = ({ username }: UsableInvite): Part => {
  const name = { link: `/@${username}`, text: { strong: `@${username}` } };
  return { notice: { say: "sign_up.invited", with: { name } } };
};

/** `invite` is the invitation by which somebody came. */
const signUpForm = async (
  context: CardContext,
  mode: RegistrationMode,
  invite: UsableInvite | null = null,
) => {
  const { app } = context;
  const isAsked = mode === "approved" && !invite;
  const returnTo = goalOf(context);
  const terms = await termsDays(app);
  return sendCard(context, {
    title: isAsked ? "sign_up.apply_title" : "sign_in.create",
    parts: [
      invite && invitation(invite),
      await noMailNotice(app),
      formOf(
        "/auth/sign_up",
        isAsked ? "sign_up.apply" : "sign_up.create",
        await fieldsOf(app, isAsked),
        {
          hidden: { invite_code: invite?.code, terms: terms.current ?? "", return_to: returnTo },
          after: agreementParts(await currentRules(app), terms),
        },
      ),
      ...(await providerActs(context, returnTo, { isNew: true })),
      toSignIn(context),
    ],
  });
};

/** A server that is closed to everybody else takes people of its providers, as Mastodon does. */
const sendClosed = async (context: CardContext) => {
  const message = await getSetting(context.app, "registrations_message", "");
  const acts = await providerActs(context, goalOf(context), { isOnly: true, isNew: true });
  const isClosed = acts.length === 0;
  return sendCard(context, {
    title: isClosed ? "sign_up.closed" : "sign_in.create",
    status: isClosed ? 403 : 200,
    parts: [
      (isClosed || message !== "") && { text: message || { say: "sign_up.closed_text" } },
      ...acts,
      toSignIn(context),
    ],
  });
};

type Values = Partial<Record<string, string>>;

/** Reads the form of somebody new. */
export const inputOf = (values: Values, request: FastifyRequest) => ({
  username: values["username"] ?? "",
  email: (values["email"] ?? "").trim(),
  password: values["password"] ?? "",
  agreement: values["agreement"] === "1",
  reason: values["reason"] ?? "",
  // The language is chosen anew, because mails exist in more languages than this page.
  locale: textsIn(readingLanguages(request)).language,
  timeZone: null,
  ip: request.ip,
  appId: null,
  inviteCode: values["invite_code"] || null,
  dateOfBirth: values["date_of_birth"] ?? null,
  shownTerms: values["terms"],
});

/** Also a form that is too old is shown again. */
const afterError = (context: CardContext, error: unknown): Refusal =>
  error instanceof Forbidden
    ? { status: 403, problem: problemOf(context.t, error) }
    : refusalOf(context, error);

/**
 * Returns the account that a form made which was sent twice: its name is taken by whoever has this address and
 * password. Null for others, and after too many guesses.
 */
const madeBefore = async (
  context: CardContext,
  { faults }: Refusal,
  { username = "", email = "", password = "" }: Values,
): Promise<SignedIn | null> => {
  if (!faults?.["username"] || !email || !password) return null;
  const who = await checkEntered(context, email, password).catch((error: unknown) => {
    if (error instanceof OverLimit) return null;
    throw error;
  });
  const isSame = who?.username.toLowerCase() === username.trim().toLowerCase();
  return isSame && !mayUseRights(who) ? who : null;
};

/** Waits for the address to be confirmed, after which the browser goes on to what was wanted. */
const goToMail = (context: CardContext, userId: string): FastifyReply => {
  rememberSignUp(context.app, context.reply, userId, goalOf(context));
  return goTo(context.reply, sentPath(userId));
};

/** Shows the refused form again, unless it did what it was sent for. */
const refuse = async (context: CardContext, error: unknown, form: OpenForm) => {
  const refused = afterError(context, error);
  const created = await madeBefore(context, refused, form.values);
  if (!created) return signUpForm({ ...context, refused }, form.mode, form.invite);
  return goToMail(context, created.userId);
};

type OpenForm = { values: Values; mode: RegistrationMode; invite: UsableInvite | null };

const takeSignUp = async (context: CardContext) => {
  const { app, request } = context;
  const values = readTexts(request.body);
  const mode = await registrationMode(app);
  const code = values["invite_code"];
  const invite = code ? await findInvite(app, code) : null;
  if (mode === "closed" && !invite) {
    return code ? sendOver(context) : sendClosed(context);
  }
  try {
    checkForm(app, request);
    const userId = await signUp(
      app,
      inputOf(values, request),
      async (_tx, created) => created.userId,
    );
    return goToMail(context, userId);
  } catch (error) {
    return refuse(context, error, { values, mode, invite });
  }
};

const sendOver = (context: CardContext) =>
  sendCard(context, {
    title: "sign_up.invite_over",
    status: 401,
    parts: [{ text: { say: "sign_up.invite_over_text" } }, toSignIn(context)],
  });

/** Apps request JSON, and sign up by the API with the code. */
const showInvite = async (context: CardContext) => {
  const { app, request, reply } = context;
  await countAttempt(app, INVITES_PER_ADDRESS, addressKey(request.ip));
  reply.header("vary", "Accept");
  const { code } = request.params as { code: string };
  const invite = await findInvite(app, code);
  if (/\bjson\b/i.test(request.headers.accept ?? "")) {
    reply.header("cache-control", "private, no-store").type("application/json; charset=utf-8");
    if (!invite) {
      return reply
        .code(401)
        .send(JSON.stringify({ error: textsIn("en").t("sign_up.invite_over") }));
    }
    const instance_api_url = `${app.config.site.origin}/api/v2/instance`;
    return reply.send(JSON.stringify({ invite_code: invite.code, instance_api_url }));
  }
  if (await visitor(app, request)) return goTo(reply, HOME);
  if (!invite) return sendOver(context);
  return signUpForm(context, await registrationMode(app), invite);
};

const showSignUp = async (context: CardContext) => {
  const mode = await registrationMode(context.app);
  return mode === "closed" ? sendClosed(context) : signUpForm(context, mode);
};

export const signUpPages = (server: Server, app: App): void => {
  const page = asAnybody(app);
  server.get("/auth/sign_up", page(showSignUp));
  server.get("/invite/:code", page(showInvite));
  server.post("/auth/sign_up", page(takeSignUp));
};
