// Serves the page on which people make and end their invitations.

import type { App } from "../../../../platform/app.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import { TooManyRequests, Unprocessable } from "../../../../platform/errors.ts";
import { formErrorText } from "../../../../platform/http/error-text.ts";
import type { Server } from "../../../../platform/http/server.ts";
import type { Say } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { createInvite, isOver, listInvites, mayInvite, stopInvite } from "../invites.ts";
import type { InviteRow } from "../invites.ts";
import { view } from "./framed.ts";
import { askedAsMember, sendSettings } from "./member.ts";
import type { PageContext } from "./member.ts";
import { goTo } from "./components.ts";

const INVITES = "/settings/invites";
const SHOWN = 100;

const DONE = {
  made: "invites.made",
  ended: "invites.ended",
} as const;

export const useText = (t: Say, { uses, max_uses: max }: InviteRow): string =>
  max === null ? t("invites.used", { count: uses }) : t("invites.used_of", { uses, count: max });

const show = async ({ app, reply, who, t }: PageContext, problem?: string) => {
  const [may, rows] = await Promise.all([
    mayInvite(app, who.accountId),
    listInvites(app, who.accountId, { maxId: null, limit: SHOWN }),
  ]);
  return sendSettings(reply, {
    title: t("invites.title"),
    problem,
    done: DONE,
    view: view("invites", {
      mayInvite: may,
      origin: app.config.site.origin,
      invites: rows.map((row) => ({ ...row, isOver: isOver(app, row) })),
    }),
  });
};

/** Reads an empty field as no limit. */
const numberFrom = (text: string | undefined): number | null => (text ? Number(text) : null);

const make = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const { max_uses: uses, expires_in: seconds } = readTexts(request.body);
  try {
    const input = { maxUses: numberFrom(uses), expiresIn: numberFrom(seconds) };
    await createInvite(app, who.accountId, input);
  } catch (error) {
    if (!(error instanceof Unprocessable || error instanceof TooManyRequests)) throw error;
    return show(context, formErrorText(context.t, error));
  }
  return goTo(reply, `${INVITES}?done=made`);
};

const end = async ({ app, request, reply, who }: PageContext) => {
  const id = parseId(readTexts(request.body)["id"] ?? "") ?? "0";
  await stopInvite(app, app.sql, id, who.accountId);
  return goTo(reply, `${INVITES}?done=ended`);
};

export const invitePages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(INVITES, page(show));
  server.post(INVITES, page(make));
  server.post(`${INVITES}/end`, page(end));
};
