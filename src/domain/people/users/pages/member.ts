// Provides what the settings pages share: the signed-in person, the frame, the password check.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Field } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { checkAll, checkFilled, faultIf } from "../../../../platform/errors.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import { says } from "../../../../platform/text/texts.ts";
import type { Key } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { checkOwner } from "../identities/enter.ts";
import { logForm } from "../identities/request-log.ts";
import { isPasswordOf } from "../set-password.ts";
import { isFresh, mayUsePassword, mayUseRights, mayUsePages, requireFresh } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { checkForm, visitor } from "./cookies.ts";
import { PASSWORD } from "./fields.ts";
import { DONE_SENTENCES, goTo, ownPath, pathTo, refusable, signInPath } from "./components.ts";
import type { CardContext } from "./components.ts";
import { sendStanding } from "./standing.ts";
import { textsOf } from "./texts.ts";

/** The page after signing in. */
export const HOME = "/home";

/** The page after signing in for the first time, by a link or once the account is approved. */
export const WELCOME = "/welcome";

/** The overview of all settings (web/src/pages/settings.tsx). */
export const SETTINGS = "/settings";

/** The context that handlers for signed-in people get, and pass on. */
export type PageContext = CardContext & { who: SignedIn };

type MemberHandler = (context: PageContext) => Promise<FastifyReply>;

const isRead = ({ method }: FastifyRequest): boolean => method === "GET" || method === "HEAD";

/** The page on which decisions of moderators are read and appealed (strikes/pages.ts). */
export const DISPUTES = "/disputes/strikes";

/** The page on which people export their data (transfers/pages.ts). */
export const EXPORT = "/settings/export";

/** Pages that suspended people may use too. */
const RIGHTS = [DISPUTES, EXPORT];

/** Redirects after signing in: to the page that was wanted, or to the one that says what is wrong with the account. */
export const goOn = (
  context: CardContext,
  { who, returnTo }: { who: SignedIn; returnTo: string | null },
): FastifyReply | Promise<FastifyReply> =>
  mayUsePages(who) || (mayUseRights(who) && RIGHTS.some((path) => returnTo?.startsWith(path)))
    ? goTo(context.reply, returnTo ?? (who.isNew ? WELCOME : HOME))
    : sendStanding(context, who);

/** Makes a handler for signed-in people whose standing allows it; forms must come from these pages. */
export const asMember =
  (app: App, handle: MemberHandler, allowed = mayUsePages) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const context = { ...textsOf(request), app, request, reply };
    const who = await visitor(app, request);
    if (!who) {
      const back = isRead(request) ? request.url : SETTINGS;
      return goTo(reply, signInPath(back));
    }
    if (!isRead(request)) checkForm(app, request);
    return allowed(who) ? handle({ ...context, who }) : sendStanding(context, who);
  };

/** Works as `asMember`, for pages of the settings, which only owners may use where an account is shared. */
export const askedAsMember =
  (app: App, allowed = mayUsePages) =>
  (handle: MemberHandler): ReturnType<typeof asMember> =>
    asMember(
      app,
      async (context) => {
        const { request, who } = context;
        checkOwner(who);
        const url = request.routeOptions.url ?? "";
        if (!isRead(request)) await logForm(app, request, { who, url });
        return handle(context);
      },
      allowed,
    );

/** A form: the rest of its path, a sentence about what it did, and what it does; `field` is of refusals without one. */
type Form = readonly [
  rest: string,
  done: Key,
  work: (context: PageContext) => Promise<unknown>,
  field?: string,
];

/** Makes a page of the settings with its forms, which lead back to it, or are shown again where they are refused. */
export const memberPage =
  (path: string, show: MemberHandler, forms: readonly Form[]) =>
  (server: Server, app: App): void => {
    const page = askedAsMember(app);
    server.get(path, page(show));
    for (const [rest, done, work, field] of forms) {
      DONE_SENTENCES.add(done);
      const take = async (context: PageContext) => {
        await work(context);
        return goTo(context.reply, `${path}?done=${done}`);
      };
      server.post(`${path}${rest}`, page(refusable(take, show, field)));
    }
  };

/** Returns the id that the form names; one that nothing has where it names none. */
export const idIn = ({ request }: PageContext): string =>
  parseId(readTexts(request.body)["id"]) ?? "0";

/** Leads people who have no password to where they sign in, and back (sso/pages/sign-in.ts). */
export const AGAIN = "/auth/again";

/** Returns the page of the form: a refused one is shown at the address that it was sent to. */
const pageOf = ({ app, request }: PageContext): string => {
  const { referer = "" } = request.headers;
  return (isRead(request) ? request.url : ownPath(app, URL.parse(referer)?.pathname)) ?? SETTINGS;
};

const signInAgain = (context: PageContext): Field => {
  const link = pathTo(AGAIN, pageOf(context));
  const button = { link, text: { say: "ways.confirm" }, isButton: true } as const;
  return { note: [{ say: "ways.first" }, button], isInstead: true };
};

/**
 * Returns the field of the password; for people who use none, whose fresh sign-in is asked for instead, where they sign
 * in again, or nothing if they have just done so.
 */
export const ownPassword = (context: PageContext): Field | false => {
  const { app, who } = context;
  if (mayUsePassword(app, who)) return PASSWORD;
  return !isFresh(app, who) && signInAgain(context);
};

/**
 * Throws unless the form has the person's password, and with it what `check` refuses of the other fields; 429 over the
 * limit.
 */
export const checkPassword = async (
  { app, request, who }: PageContext,
  check: () => void = () => {},
): Promise<void> => {
  if (!mayUsePassword(app, who)) {
    check();
    return requireFresh(app, who);
  }
  const field = "current_password";
  const password = readTexts(request.body)[field] ?? "";
  const isWrong = password !== "" && !(await isPasswordOf(app, who.userId, password));
  checkAll(
    check,
    () => checkFilled({ [field]: password }),
    faultIf(isWrong, field, says("field.password_wrong")),
  );
};
