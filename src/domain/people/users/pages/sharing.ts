// Serves the pages of an account that several people use: its members, and the log of what they did.

import type { Field, Row } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { isKey } from "../../../../platform/text/texts.ts";
import type { Say } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { ACTS_SHOWN, actsOf } from "../identities/acts.ts";
import type { ActRow } from "../identities/acts.ts";
import { everyAccessFrom } from "../identities/enter.ts";
import { ROLES, changeRole, inviteMember, membersOf, removeMember } from "../identities/members.ts";
import type { MemberRow } from "../identities/members.ts";
import { mayUsePassword } from "../sign-in.ts";
import { PASSWORD, formOf } from "./fields.ts";
import { sharedParts } from "./identities.ts";
import { SETTINGS, askedAsMember, idIn, memberPage, ownPassword } from "./member.ts";
import type { PageContext } from "./member.ts";
import { goTo, sendServed } from "./components.ts";

const PATH = "/settings/sharing";
const LOG = `${PATH}/log`;
const rowOf = ({ id, username, role, accepted_at, created_at }: MemberRow): Row => {
  const of = `@${username}`;
  const other = role === "owner" ? "author" : "owner";
  const since = accepted_at ? "sharing.since" : "sharing.invited";
  return {
    title: { link: `/@${username}`, text: of },
    badges: [{ badge: `sharing.${role}`, kind: "good" }],
    lines: [{ say: since, with: { time: accepted_at ?? created_at } }],
    acts: [
      { action: `${PATH}/role`, label: `sharing.make_${other}`, of, fields: { id, role: other } },
      { action: `${PATH}/remove`, label: "sharing.remove", of, fields: { id } },
    ],
  };
};

/** Of a member the own password is asked for, which the account says nothing of. */
const fieldsOf = (context: PageContext): (Field | false)[] => [
  { name: "name", label: "sharing.name", hint: "sharing.name_hint", autocomplete: "off", max: 100 },
  {
    name: "role",
    label: "sharing.role",
    as: "radios",
    options: ROLES.map((role) => [role, `sharing.${role}`, `sharing.${role}_about`]),
  },
  context.who.accessId !== null || mayUsePassword(context.app, context.who)
    ? { ...PASSWORD, label: "sharing.password" }
    : ownPassword(context),
];

const show = async (context: PageContext) => {
  const { app, who } = context;
  const shared = who.accessId === null ? sharedParts(await everyAccessFrom(app, who), true) : [];
  const members = await membersOf(app, who);
  const values = { role: ROLES[0] };
  return sendServed(context, {
    title: "sharing.title",
    done: { removed: "sharing.done_removed" },
    parts: [
      ...shared,
      shared.length > 0 && { heading: "sharing.this" },
      { text: { say: "sharing.about" } },
      { rows: members.map(rowOf) },
      who.isShared && { text: { link: LOG, text: { say: "sharing.log" } } },
      { heading: "sharing.invite" },
      formOf(PATH, "sharing.invite_button", fieldsOf(context), { values }),
    ],
  });
};

const invite = ({ app, request, who }: PageContext): Promise<unknown> => {
  const { name = "", role = "", current_password: password = "" } = readTexts(request.body);
  return inviteMember(app, who, { name, role, password });
};

/** Whoever removes themselves cannot open the page any more. */
const remove = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  await removeMember(app, who, idIn(context));
  const isSelf = who.accessId === readTexts(request.body)["id"];
  return goTo(reply, isSelf ? SETTINGS : `${PATH}?done=removed`);
};

const setRole = (context: PageContext): Promise<unknown> => {
  const { role = "" } = readTexts(context.request.body);
  return changeRole(context.app, context.who, { id: idIn(context), role });
};

/** An act of a later version has no text of its own. */
const actText = (t: Say, { act, detail }: ActRow): string => {
  const key = `sharing.act.${act}`;
  const name = t(isKey(key) ? key : "sharing.act.other");
  return detail ? t("words.pair", { name, value: detail }) : name;
};

const logRow = ({ t, who }: PageContext, row: ActRow): Row => ({
  title: row.by_name ? `@${row.by_name}` : t("sharing.by_password"),
  lines: [
    [
      actText(t, row),
      row.status_id && {
        link: `/@${who.username}/${row.status_id}`,
        text: { say: "sharing.post" },
      },
    ],
    row.created_at,
  ],
});

const showLog = async (context: PageContext) => {
  const { app, request, who } = context;
  const rows = await actsOf(app, who, parseId(readTexts(request.query)["max_id"] ?? "") ?? null);
  const older = rows.length === ACTS_SHOWN ? rows.at(-1)!.id : null;
  return sendServed(context, {
    title: "sharing.log",
    parts: [
      { text: { say: "sharing.log_about" } },
      { rows: rows.map((row) => logRow(context, row)), none: "sharing.log_none" },
      { older, label: "sharing.older" },
      { below: [[PATH, "sharing.title"]] },
    ],
  });
};

const sharingForms = memberPage(PATH, show, [
  ["", "sharing.done_invited", invite],
  ["/role", "sharing.done_changed", setRole],
]);

export const sharingPages = (server: Server, app: App): void => {
  sharingForms(server, app);
  const page = askedAsMember(app);
  server.post(`${PATH}/remove`, page(remove));
  server.get(LOG, page(showLog));
};
