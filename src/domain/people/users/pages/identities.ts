// Serves the page on which a person links accounts of theirs with each other, and ends that.

import type { App } from "../../../../platform/app.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import { headersOf } from "../../../../platform/http/http-error.ts";
import { againText } from "../../../../platform/http/error-text.ts";
import { OverLimit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { everyAccessFrom } from "../identities/enter.ts";
import type { AccessRow } from "../identities/enter.ts";
import { linkAccounts, unlinkAccount } from "../identities/link.ts";
import { acceptInvitation, leaveShared } from "../identities/members.ts";
import { knownBrowser } from "./cookies.ts";
import { view } from "./framed.ts";
import { askedAsMember, sendSettings } from "./member.ts";
import type { PageContext } from "./member.ts";
import { faultsOf, goTo } from "./components.ts";
import type { ServedPage } from "./components.ts";

const PATH = "/settings/identities";
const DONE = {
  linked: "identities.done_linked",
  unlinked: "identities.done_unlinked",
  accepted: "identities.done_accepted",
  left: "identities.done_left",
} as const;

/** Returns accounts that a person shares with others, or is invited to. */
export const sharedOf = (access: AccessRow[]): AccessRow[] =>
  access.filter(({ kind }) => kind !== "identity");

const show = async (
  { app, reply, who, t }: PageContext,
  refused: Pick<ServedPage, "faults" | "problem" | "status"> = {},
) => {
  const access = await everyAccessFrom(app, who);
  return sendSettings(reply, {
    title: t("identities.title"),
    ...refused,
    done: DONE,
    view: view("identities", {
      linked: access.filter(({ kind }) => kind === "identity"),
      shared: sharedOf(access),
      isOwn: who.accessId === null,
      accountId: who.accountId,
    }),
  });
};

const link = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  const fields = readTexts(request.body);
  const login = (fields["login"] ?? "").trim().slice(0, 320);
  try {
    await linkAccounts(app, who, {
      login,
      password: fields["password"] ?? "",
      currentPassword: fields["current_password"] ?? "",
      code: (fields["code"] ?? "").slice(0, 40),
      ip: request.ip,
      knownBrowser: (other) => knownBrowser(app, request, other),
    });
  } catch (error) {
    if (error instanceof OverLimit) {
      reply.headers(headersOf(error));
      const problem = t("step.often", { again: againText(t, error) });
      return show(context, { problem, status: 429 });
    }
    const faults = faultsOf(t, error);
    if (!faults) throw error;
    return show(context, { faults });
  }
  return goTo(reply, `${PATH}?done=linked`);
};

const unlink = async ({ app, request, reply, who }: PageContext) => {
  await unlinkAccount(app, who, readTexts(request.body)["account_id"] ?? "");
  return goTo(reply, `${PATH}?done=unlinked`);
};

const idIn = ({ request }: PageContext): string =>
  parseId(readTexts(request.body)["id"] ?? "") ?? "0";

const accept = async (context: PageContext) => {
  await acceptInvitation(context.app, context.who, idIn(context));
  return goTo(context.reply, `${PATH}?done=accepted`);
};

const leave = async (context: PageContext) => {
  await leaveShared(context.app, context.who, idIn(context));
  return goTo(context.reply, `${PATH}?done=left`);
};

export const identityPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(
    PATH,
    page((context) => show(context)),
  );
  server.post(PATH, page(link));
  server.post(`${PATH}/unlink`, page(unlink));
  server.post(`${PATH}/accept`, page(accept));
  server.post(`${PATH}/leave`, page(leave));
};
