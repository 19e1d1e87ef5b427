// Serves the page on which a person links accounts of theirs with each other, and ends that.

import type { ActButton, Field, Part, Row } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { everyAccessFrom } from "../identities/enter.ts";
import type { AccessRow } from "../identities/enter.ts";
import { linkAccounts, unlinkAccount } from "../identities/link.ts";
import { acceptInvitation, leaveShared } from "../identities/members.ts";
import { knownBrowser } from "./cookies.ts";
import { PASSWORD, formOf } from "./fields.ts";
import { askedAsMember, idIn, ownPassword } from "./member.ts";
import type { PageContext } from "./member.ts";
import { goTo, refusable, sendServed } from "./components.ts";

const PATH = "/settings/identities";
const DONE = {
  linked: "identities.done_linked",
  unlinked: "identities.done_unlinked",
  accepted: "identities.done_accepted",
  left: "identities.done_left",
} as const;

const needsFactor = ({ needs_factor: needs }: AccessRow) =>
  needs && ({ say: "identities.factor" } as const);

const rowOf = (row: AccessRow, isOwn: boolean): Row => {
  const of = `@${row.username}`;
  const fields = { account_id: row.account_id };
  return {
    title: of,
    lines: [{ say: "identities.since", with: { time: row.created_at } }, needsFactor(row)],
    acts: [isOwn && { action: `${PATH}/unlink`, label: "identities.unlink", of, fields }],
  };
};

/** Returns buttons that accept an invitation, decline it, or leave a shared account. */
const answers = ({ id, username, accepted_at }: AccessRow): ActButton[] => {
  const leave = { action: `${PATH}/leave`, of: `@${username}`, fields: { id } };
  return accepted_at
    ? [{ ...leave, label: "identities.leave_shared" }]
    : [
        { ...leave, action: `${PATH}/accept`, label: "identities.accept", kind: "" },
        { ...leave, label: "identities.decline" },
      ];
};

const sharedRow = (row: AccessRow, isOwn: boolean): Row => {
  const { username, kind, accepted_at, created_at } = row;
  const since = accepted_at ? "sharing.since" : "identities.invited";
  return {
    title: { link: `/@${username}`, text: `@${username}` },
    badges: [{ badge: kind === "owner" ? "sharing.owner" : "sharing.author", kind: "good" }],
    lines: [{ say: since, with: { time: accepted_at ?? created_at } }, needsFactor(row)],
    acts: isOwn ? answers(row) : [],
  };
};

/** Declares those of the accounts that a person shares with others, or is invited to; nothing where there are none. */
export const sharedParts = (access: AccessRow[], isOwn: boolean): Part[] => {
  const rows = access.filter(({ kind }) => kind !== "identity");
  if (rows.length === 0) return [];
  return [
    { heading: "identities.shared" },
    { text: { say: "identities.shared_about" } },
    { rows: rows.map((row) => sharedRow(row, isOwn)) },
  ];
};

const fieldsOf = (context: PageContext): (Field | false)[] => [
  { name: "login", label: "identities.login", autocomplete: "off" },
  { ...PASSWORD, name: "password", label: "identities.password", autocomplete: "off" },
  {
    name: "code",
    label: "identities.code",
    hint: "identities.code_hint",
    autocomplete: "off",
    optional: true,
    max: 40,
  },
  ownPassword(context),
];

const show = async (context: PageContext) => {
  const { app, who } = context;
  const access = await everyAccessFrom(app, who);
  const rows = access.filter(({ kind }) => kind === "identity");
  const isOwn = who.accessId === null;
  const leave = { action: `${PATH}/unlink`, fields: { account_id: who.accountId } };
  return sendServed(context, {
    title: "identities.title",
    done: DONE,
    parts: [
      { text: { say: "identities.about" } },
      !isOwn && { notice: { say: "identities.own_sign_in" } },
      { rows: rows.map((row) => rowOf(row, isOwn)), none: "identities.none" },
      isOwn && rows.length > 1 && { acts: [{ ...leave, label: "identities.leave" }] },
      ...sharedParts(access, isOwn),
      isOwn && { heading: "identities.link" },
      isOwn && formOf(PATH, "identities.link_button", fieldsOf(context)),
    ],
  });
};

const link = async ({ app, request, reply, who }: PageContext) => {
  const fields = readTexts(request.body);
  const login = (fields["login"] ?? "").trim().slice(0, 320);
  await linkAccounts(app, who, {
    login,
    password: fields["password"] ?? "",
    currentPassword: fields["current_password"] ?? "",
    code: (fields["code"] ?? "").slice(0, 40),
    ip: request.ip,
    knownBrowser: (other) => knownBrowser(app, request, other),
  });
  return goTo(reply, `${PATH}?done=linked`);
};

const unlink = async ({ app, request, reply, who }: PageContext) => {
  await unlinkAccount(app, who, readTexts(request.body)["account_id"] ?? "");
  return goTo(reply, `${PATH}?done=unlinked`);
};

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
  server.get(PATH, page(show));
  server.post(PATH, page(refusable(link, show)));
  server.post(`${PATH}/unlink`, page(unlink));
  server.post(`${PATH}/accept`, page(refusable(accept, show)));
  server.post(`${PATH}/leave`, page(leave));
};
