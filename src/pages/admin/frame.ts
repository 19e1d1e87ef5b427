// The frame of the pages for the staff: who may see them, the navigation, forms and messages.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { StaffMenu } from "../../../web/src/served/pages.ts";
import type { Part, Words } from "../../../web/src/served/part-pages.ts";
import { Forbidden } from "../../platform/errors.ts";
import { pathId } from "../../platform/http/incoming.ts";
import type { App } from "../../platform/app.ts";
import { parseId } from "../../platform/ids/index.ts";
import { newestPage } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import type { Key, Say } from "../../platform/text/texts.ts";
import { actorOf } from "../../domain/staff/moderation/actors.ts";
import { may, requireMay } from "../../domain/base/roles/acts.ts";
import type { Act } from "../../domain/base/roles/acts.ts";
import { readTexts } from "../../domain/people/oauth/parameters.ts";
import { readWaiting } from "../../domain/staff/measures/waiting.ts";
import type { Waiting } from "../../domain/staff/measures/waiting.ts";
import { isMember } from "../../domain/people/users/identities/enter.ts";
import { asMember } from "../../domain/people/users/pages/member.ts";
import type { PageContext } from "../../domain/people/users/pages/member.ts";
import { sendServed } from "../../domain/people/users/pages/components.ts";
import type { ServedPage } from "../../domain/people/users/pages/components.ts";
import type { Actor } from "../../domain/base/roles/permissions.ts";
import { enteredBefore } from "./kept-questions.ts";
import { SECTIONS } from "./sections.ts";
import type { Section } from "./sections.ts";

/** The context that the handlers of these pages get and pass on. */
export type Staff = PageContext & { actor: Actor };

export type Show = (context: Staff) => Promise<FastifyReply>;

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Makes a page for those who may do one of the acts; others get 403, visitors sign in first. */
export const staffPage = (app: App, acts: readonly Act[], show: Show): Handler =>
  asMember(app, async (context) => {
    // A shared account's members have none of its powers.
    if (isMember(context.who)) throw new Forbidden();
    const actor = await actorOf(app, context.who.accountId);
    if (!acts.some((act) => may(actor, act))) requireMay(actor, acts[0]!);
    return show({ ...context, ...(await enteredBefore(context)), actor });
  });

const menuOf = ({ actor, t }: Staff, path: string, waiting: Waiting): StaffMenu => {
  const mine = SECTIONS.filter(({ acts }) => acts.some((act) => may(actor, act)));
  const groups = [...Map.groupBy(mine, ({ group }) => group)];
  return groups.map(([title, sections]) => ({
    title: t(title),
    entries: sections.map(({ path: target, label, counts }) => ({
      path: target,
      text: t(label),
      count: counts === undefined ? 0 : waiting[counts],
      isHere: target === "/admin" ? path === target : path.startsWith(target),
    })),
  }));
};

type TabsPart = Extract<Part, { tabs: unknown }>;

type AdminPage = Partial<ServedPage> & {
  /** Path of the arrow beside the title. */
  back?: string;
  /** Path whose section it belongs to, where that is not its own. */
  at?: string;
};

/** Returns the section that the path is in. */
const sectionOf = (path: string): Section =>
  SECTIONS.findLast((section) => path.startsWith(section.path)) ?? SECTIONS[0]!;

/** Returns the name of the page: that of its section, with the tab where it is not the section's first. */
const titleOf = (t: Say, path: string, parts: ServedPage["parts"]): Words => {
  const { label } = sectionOf(path);
  const tabs = parts.find((part): part is TabsPart => Boolean(part) && "tabs" in (part as object));
  const tab = tabs?.tabs.slice(1).find(([at]) => at === tabs.shown);
  return tab ? ["words.pair", { name: t(label), value: t(tab[1] as Key) }] : label;
};

/** Sends a page of the staff, which is named by `titleOf` unless it has a title. */
export const sendAdmin = async (
  context: Staff,
  { back = "/admin", at, ...page }: AdminPage,
): Promise<FastifyReply> => {
  const { app, request } = context;
  const path = at ?? request.url.split("?")[0]!;
  const parts = page.parts ?? [];
  const title = titleOf(context.t, path, parts);
  const menu = menuOf(context, path, await readWaiting(app));
  return sendServed(
    context,
    { title, ...page, parts },
    { staff: { menu, back: path === "/admin" ? "/home" : back } },
  );
};

/** Returns the texts of the form, or of the query. */
export const entered = ({ request }: Staff): Partial<Record<string, string>> =>
  readTexts(request.method === "GET" ? request.query : request.body);

/** Returns the id in the path; throws 404 for anything else. */
export const idOf = ({ request }: Staff): string => pathId((request.params as { id?: string }).id);

/** Returns the page of a list that `?max_id=` requests. */
export const pageOf = (context: Staff, limit: number): Page =>
  newestPage(limit, parseId(entered(context)["max_id"]));
