// The sign-in page.

import type { Field } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { checkFilled } from "../../../../platform/errors.ts";
import { headersOf } from "../../../../platform/http/http-error.ts";
import { againText } from "../../../../platform/http/error-text.ts";
import { OverLimit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import type { SignIn } from "#sso";
import { readTexts } from "../../oauth/parameters.ts";
import { checkLogin, checkLoginOr, mayUsePages } from "../sign-in.ts";
import type { Login, SignedIn } from "../sign-in.ts";
import { askDirectory, directoryOf, isInDirectory } from "../../sso/directory.ts";
import { goneParts, providerActs } from "../../sso/pages/buttons.ts";
import { directoryProblem, goIn } from "../../sso/pages/entry.ts";
import { providerFault } from "../../sso/protocols.ts";
import { registrationMode } from "../sign-up.ts";
import { checkForm, isFormOfVisit, knownBrowser, visitor } from "./cookies.ts";
import { heldAccounts } from "./held-accounts.ts";
import { HOME, goOn } from "./member.ts";
import { PASSWORD, formOf } from "./fields.ts";
import { asAnybody, goTo, goalOf, ownPath, pathTo, refusalOf, sendCard } from "./components.ts";
import type { CardContext, Refusal } from "./components.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { passkeyUse } from "./passkey-use.ts";
import { letIn } from "./let-in.ts";

/** Characters of the longest password that is checked: longer ones are never valid and would only cost time. */
const PASSWORD_LIMIT = 200;

const DONE = {
  password: "sign_in.done_password",
  signed_out: "sign_in.done_signed_out",
  deleted: "sign_in.done_deleted",
} as const;

/** The page begins where something is to be entered: after a refusal, the password. */
const fieldsOf = (isAgain: boolean): readonly Field[] => [
  { name: "login", label: "sign_in.login", autocomplete: "username", autofocus: !isAgain },
  { ...PASSWORD, name: "password", label: "field.password", autofocus: isAgain },
];

/** Owners have a password as a way in where everybody else comes by a provider; their form is on demand. */
const providersAlone = async (context: CardContext, returnTo: string | null) => {
  return sendCard(context, {
    title: "sign_in.title",
    done: DONE,
    parts: [
      ...(await providerActs(context, returnTo, { isOnly: true })),
      ...(await heldAccounts(context, returnTo)),
      { below: [[pathTo("/auth/sign_in", returnTo, "local"), "sso.owners"]] },
    ],
  });
};

/** `local` shows the form also where everybody but owners comes by a provider. */
export const signInForm = async (context: CardContext, returnTo: string | null, local = false) => {
  const { app, refused } = context;
  if (app.config.sso.only && !local && directoryOf(app) === null)
    return providersAlone(context, returnTo);
  const isOpen = (await registrationMode(app)) !== "closed";
  return sendCard(context, {
    title: "sign_in.title",
    done: DONE,
    script: PASSKEY_SCRIPT,
    parts: [
      ...(await goneParts(context)),
      formOf("/auth/sign_in", "sign_in.title", fieldsOf(refused !== undefined), {
        hidden: { return_to: returnTo },
      }),
      passkeyUse(context, { returnTo }),
      ...(await providerActs(context, returnTo)),
      ...(await heldAccounts(context, returnTo)),
      {
        below: [
          isOpen && [pathTo("/auth/sign_up", returnTo), "sign_in.create"],
          [pathTo("/auth/password/new", returnTo), "sign_in.forgot"],
          [pathTo("/auth/confirmation/new", returnTo), "sign_in.no_mail"],
        ],
      },
    ],
  });
};

const showSignIn = async (context: CardContext) => {
  const { app, request, reply } = context;
  const query = readTexts(request.query);
  const returnTo = goalOf(context);
  const who = query["force"] ? null : await visitor(app, request);
  if (who && mayUsePages(who)) return goTo(reply, returnTo ?? HOME);
  return signInForm(context, returnTo, query["local"] === "1");
};

/** Returns the same text whether or not there is such an account; those of a directory may have none here. */
const limitWords = ({ app, t }: CardContext, error: OverLimit): string => {
  const again = againText(t, error);
  if (error.limit.by === "address") return t("sign_in.often_network", { again });
  return t(directoryOf(app) ? "sign_in.often_name" : "sign_in.often_account", { again });
};

const attemptOf = ({ app, request }: CardContext, login: string, password: string): Login => ({
  login: login.slice(0, 320),
  password,
  ip: request.ip,
  knownBrowser: (who) => knownBrowser(app, request, who),
});

/** Returns whose login and password were entered; null for nobody's. Throws OverLimit after too many guesses. */
export const checkEntered = async (
  context: CardContext,
  login: string,
  password: string,
): Promise<SignedIn | null> =>
  password.length > PASSWORD_LIMIT
    ? null
    : checkLogin(context.app, attemptOf(context, login, password));

/**
 * Works as `checkEntered`; returns what the directory says, where there is one, about who has no password here or has
 * added it.
 */
const checkWithDirectory = async (
  context: CardContext,
  login: string,
  password: string,
): Promise<SignedIn | SignIn | null> => {
  const { app } = context;
  if (directoryOf(app) === null) return checkEntered(context, login, password);
  if (password.length > PASSWORD_LIMIT) return null;
  const attempt = attemptOf(context, login, password);
  return checkLoginOr(app, attempt, async (name, withPassword) =>
    withPassword && !(await isInDirectory(app, withPassword.userId))
      ? null
      : askDirectory(app, name, password),
  );
};

const takeSignIn = async (context: CardContext) => {
  const { app, request, reply, t } = context;
  const { login = "", password = "", return_to } = readTexts(request.body);
  const returnTo = ownPath(app, return_to);
  // A form that is sent twice signs in by the first, before which it was the visitor's.
  const here = isFormOfVisit(app, request) ? await visitor(app, request) : null;
  if (here) return goOn(context, { who: here, returnTo });
  checkForm(app, request);
  const show = (refused: Refusal) => signInForm({ ...context, refused }, returnTo, true);
  let who: SignedIn | SignIn | null;
  try {
    checkFilled({ login: login.trim(), password });
    who = await checkWithDirectory(context, login, password);
  } catch (error) {
    const fault = providerFault(error);
    if (fault !== null) return show(directoryProblem(context, fault, error as Error));
    if (!(error instanceof OverLimit)) return show(refusalOf(context, error));
    reply.headers(headersOf(error));
    return show({ status: 429, problem: limitWords(context, error) });
  }
  const isOwners = app.config.sso.only && directoryOf(app) === null;
  const wrong = isOwners ? "sign_in.wrong_owner" : "sign_in.wrong";
  if (!who) return show({ status: 422, problem: t(wrong) });
  return "identity" in who
    ? goIn(context, directoryOf(app)!, who, returnTo)
    : letIn(context, who, { returnTo });
};

export const signInPages = (server: Server, app: App): void => {
  const page = asAnybody(app);
  server.get("/auth/sign_in", page(showSignIn));
  server.post("/auth/sign_in", page(takeSignIn));
};
