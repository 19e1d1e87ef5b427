// Serves the page on which a person links accounts of theirs with each other, and ends that.

import type { ActButton, Field, Part, Row } from "../../../../../web/src/served/part-pages.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { everyAccessFrom } from "../identities/enter.ts";
import type { AccessRow } from "../identities/enter.ts";
import { linkAccounts, unlinkAccount } from "../identities/link.ts";
import { acceptInvitation, leaveShared } from "../identities/members.ts";
import { knownBrowser } from "./cookies.ts";
import { PASSWORD, formOf } from "./fields.ts";
import { idIn, memberPage, ownPassword } from "./member.ts";
import type { PageContext } from "./member.ts";
import { sendServed } from "./components.ts";

const PATH = "/settings/identities";
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

const link = ({ app, request, who }: PageContext): Promise<void> => {
  const fields = readTexts(request.body);
  const login = (fields["login"] ?? "").trim().slice(0, 320);
  return linkAccounts(app, who, {
    login,
    password: fields["password"] ?? "",
    currentPassword: fields["current_password"] ?? "",
    code: (fields["code"] ?? "").slice(0, 40),
    ip: request.ip,
    knownBrowser: (other) => knownBrowser(app, request, other),
  });
};

const unlink = ({ app, request, who }: PageContext) =>
  unlinkAccount(app, who, readTexts(request.body)["account_id"] ?? "");

export const identityPages = memberPage(PATH, show, [
  ["", "identities.done_linked", link],
  ["/unlink", "identities.done_unlinked", unlink],
  [
    "/accept",
    "identities.done_accepted",
    (context) => acceptInvitation(context.app, context.who, idIn(context)),
  ],
  [
    "/leave",
    "identities.done_left",
    (context) => leaveShared(context.app, context.who, idIn(context)),
  ],
]);
