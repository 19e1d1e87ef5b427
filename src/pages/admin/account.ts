// Shows one account to the staff: who it is, its history, what can be done and undone.

import type { ActButton, FactList, FieldValues, Part } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { newestPage } from "../../platform/db/paging.ts";
import { Unprocessable, faultOf } from "../../platform/errors.ts";
import { says } from "../../platform/text/texts.ts";
import type { Server } from "../../platform/http/server.ts";
import { DELETE_AFTER_DAYS } from "../../domain/people/accounts/standing.ts";
import { listAudit } from "../../domain/base/audit/audit.ts";
import { may } from "../../domain/base/roles/acts.ts";
import {
  ACTION_TYPES,
  actOnAccount,
  approveAccount,
  deleteSuspended,
  enableAccount,
  giveRole,
  rejectAccount,
  unsensitizeAccount,
  unsilenceAccount,
  unsuspendAccount,
} from "../../domain/staff/moderation/accounts.ts";
import type { ActionType } from "../../domain/staff/moderation/accounts.ts";
import { getAdminAccount } from "../../domain/staff/moderation/load.ts";
import type { AdminAccountView } from "../../domain/staff/moderation/load.ts";
import { EVERYONE_ID, listRoles } from "../../domain/base/roles/roles.ts";
import { isOut } from "../../domain/people/sso/told.ts";
import { listPresets } from "../../domain/reading/strikes/strikes.ts";
import { reason } from "./page-parts.ts";
import { accountOf, atName, stateBadges } from "./people.ts";
import {
  ACCOUNT_NOTE_FORMS,
  noteParts,
  NOTES_DONE,
  moderationNoteForms,
} from "./moderation-notes.ts";
import { reportParts, strikeParts } from "./history.ts";
import { presetField, presetText } from "./presets.ts";
import { auditRow } from "./audit.ts";
import { entered, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { formsOf, onEntry } from "./forms.ts";
import { ACCESS_FORMS, accessPart } from "./account-access.ts";
import { accountPostPages } from "./account-posts.ts";
import { listed } from "../../../texts/lists.ts";

const ACCOUNTS = "/admin/accounts";

const factsOf = ({ t, language }: Staff, { account, user }: AdminAccountView): FactList => {
  const { id, domain, suspended_at: suspended } = account;
  const inviter = user?.invited_by;
  const terms = user?.agreed_terms;
  const deleted = t("moderation.account.deleted_after", { count: DELETE_AFTER_DAYS });
  return [
    !user &&
      domain && [
        "moderation.server",
        { link: `/admin/domains?${new URLSearchParams({ q: domain })}`, text: domain },
      ],
    user && [
      "moderation.email",
      [user.email, !user.confirmed && { badge: "staff.state.unconfirmed", kind: "bad" }],
    ],
    user && ["moderation.account.language", user.locale],
    user && user.ips.length > 0
      ? [
          "moderation.account.ips",
          listed(
            language,
            user.ips.map(({ ip }) => ip),
          ),
        ]
      : null,
    inviter
      ? [
          "moderation.account.invited_by",
          { link: `/admin/accounts/${inviter}`, text: t("moderation.account.inviter") },
        ]
      : null,
    terms
      ? [
          "staff.terms.agreed",
          {
            link: `/terms-of-service/${terms}`,
            text: { say: "staff.terms.version", with: { day: { day: new Date(terms) } } },
          },
        ]
      : null,
    user?.reason ? ["moderation.account.why", user.reason] : null,
    [
      domain === null ? "moderation.accounts.joined" : "moderation.account.known",
      account.created_at,
    ],
    ["moderation.account.last_post", account.last_status_at ?? t("moderation.account.never")],
    ["moderation.posts", { link: `/admin/accounts/${id}/posts`, text: account.statuses_count }],
    ["moderation.account.followers", account.followers_count],
    ["moderation.account.following", account.following_count],
    suspended && ["staff.state.suspended", { joined: [suspended, deleted] }],
  ];
};

const ACT_OF: Record<ActionType, Parameters<typeof may>[1]> = {
  none: "accounts.warn",
  sensitive: "accounts.sensitive",
  disable: "accounts.disable",
  silence: "accounts.silence",
  suspend: "accounts.suspend",
};

/** Returns the form of acts on the account, with what was entered for one that came too late. */
export const actionPart = async (
  context: Staff,
  { account, user }: AdminAccountView,
  values: FieldValues = {},
): Promise<Part | null> => {
  const types = ACTION_TYPES.filter(
    (type) => may(context.actor, ACT_OF[type], account) && (type !== "disable" || user),
  );
  if (types.length === 0 || account.pending) return null;
  const presets = await listPresets(context.app);
  const count = DELETE_AFTER_DAYS;
  return {
    panel: [
      { heading: "moderation.decide" },
      {
        form: {
          action: `${ACCOUNTS}/${account.id}/act`,
          fields: [
            {
              name: "type",
              label: "moderation.what",
              as: "radios",
              options: types.map((type) => [
                type,
                `moderation.act.${type}`,
                [`moderation.act.${type}_hint`, { count }],
              ]),
            },
            presetField(context, presets),
            reason(user ? "moderation.reason_sent" : "moderation.reason_kept"),
            user && { boxes: [{ name: "mail", label: "moderation.also_mail" }] },
          ],
          values: { type: "none", mail: true, ...values },
          submit: "moderation.do_it",
        },
      },
    ],
  };
};

type Undo = Exclude<keyof typeof FORMS, "act" | "role"> | "reject";

/** Returns the buttons that undo what was decided about the account. */
const undoActs = ({ actor }: Staff, { account, user }: AdminAccountView): ActButton[] => {
  const isGone = account.domain === null && user === null;
  const isWaiting = user?.approved === false;
  const isSuspended = account.suspended_at !== null && !isGone;
  const acts: [boolean, Undo, Omit<ActButton, "action">][] = [
    [isWaiting, "approve", { label: "moderation.sign_ups.approve", kind: "" }],
    [isWaiting, "reject", { label: "moderation.sign_ups.reject", kind: "bad" }],
    [isSuspended, "unsuspend", { label: "moderation.account.unsuspend" }],
    [account.silenced_at !== null, "unsilence", { label: "moderation.account.unsilence" }],
    [account.sensitized_at !== null, "unsensitive", { label: "moderation.account.unsensitive" }],
    [user?.disabled === true, "enable", { label: "moderation.account.enable" }],
    [isSuspended, "delete", { label: "moderation.account.delete", kind: "bad" }],
  ];
  return acts
    .filter(([holds, verb]) => holds && may(actor, `accounts.${verb}`, account))
    .map(([, verb, act]) => ({ action: `${ACCOUNTS}/${account.id}/${verb}`, ...act }));
};

const rolePart = async (
  { app, actor }: Staff,
  { account, user }: AdminAccountView,
): Promise<Part | null> => {
  if (!user || !may(actor, "accounts.change_role", account)) return null;
  const roles = (await listRoles(app)).filter(({ position }) => position < actor.position);
  const options = roles.map(
    ({ id, name }) => [id, name ? { plain: name } : "moderation.account.no_role"] as const,
  );
  return {
    add: {
      action: `${ACCOUNTS}/${account.id}/role`,
      title: "moderation.account.change_role",
      fields: [{ name: "role", label: "moderation.accounts.role", options }],
      values: { role: account.role?.id ?? EVERYONE_ID },
      submit: "staff.save",
    },
  };
};

const HISTORY = 50;

const auditParts = async (staff: Staff, id: string): Promise<Part[]> => {
  const { app, actor } = staff;
  if (!may(actor, "audit.read")) return [];
  const filter = { target: { type: "account", id } };
  const rows = await listAudit(app, newestPage(HISTORY), filter);
  if (rows.length === 0) return [];
  return [
    { heading: "staff.section.audit_log" },
    { rows: rows.map((row) => auditRow(staff, row)) },
  ];
};

const showAccount = async (context: Staff) => {
  const view = await getAdminAccount(context.app, idOf(context));
  const { account, user } = view;
  const entity = accountOf(context, account);
  const isPutOut = user && (await isOut(context.app.sql, user.user_id));
  return sendAdmin(context, {
    title: { plain: atName(account) },
    done: NOTES_DONE,
    parts: [
      {
        panel: [
          { who: entity },
          { text: stateBadges(view) },
          isPutOut && { notice: { say: "moderation.account.put_out" } },
          { facts: factsOf(context, view) },
          account.note_html && { quote: { html: account.note_html, account: entity } },
          { acts: undoActs(context, view) },
        ],
      },
      await actionPart(context, view),
      accessPart(context, view),
      await rolePart(context, view),
      ...(await noteParts(context, account)),
      ...(await strikeParts(context, account.id)),
      ...(await reportParts(context, account.id)),
      ...(await auditParts(context, account.id)),
    ],
  });
};

const act = async (context: Staff): Promise<void> => {
  const { app, actor } = context;
  const id = idOf(context);
  const fields = entered(context);
  const type = ACTION_TYPES.find((type) => type === fields["type"]);
  if (!type) throw new Unprocessable(context.t("moderation.choose_act"));
  const preset = await presetText(app, fields["preset"]);
  const text = [preset, fields["text"]?.trim() ?? ""].filter(Boolean).join("\n\n");
  await actOnAccount(app, actor, id, { type, text, reportId: null, mail: fields["mail"] === "1" });
};

const changeRole = async (context: Staff): Promise<void> => {
  const { app, actor } = context;
  const role = (await listRoles(app)).find(({ id }) => id === entered(context)["role"]);
  if (!role) throw faultOf("role", says("moderation.account.choose_role"));
  await giveRole(app, actor, idOf(context), role);
};

const UNDONE = "moderation.account.undone";

const FORMS = {
  act: ["moderation.account.acted", act],
  role: ["moderation.account.role_changed", changeRole],
  approve: ["moderation.sign_ups.approved", onEntry(approveAccount)],
  enable: [UNDONE, onEntry(enableAccount)],
  unsensitive: [UNDONE, onEntry(unsensitizeAccount)],
  unsilence: [UNDONE, onEntry(unsilenceAccount)],
  unsuspend: [UNDONE, onEntry(unsuspendAccount)],
  delete: ["moderation.account.being_deleted", onEntry(deleteSuspended)],
} as const;

const ACTS = ["accounts.read"] as const;

/** Registers the pages of an account for those who may see accounts; each command checks its own permission. */
export const accountPages = (pages: Server, app: App): void => {
  pages.get(`${ACCOUNTS}/:id`, staffPage(app, ACTS, showAccount));
  const home = (context: Staff): string => `${ACCOUNTS}/${idOf(context)}`;
  const take = formsOf(pages, app, home, ACTS, showAccount);
  const forms = { ...FORMS, ...ACCESS_FORMS, ...ACCOUNT_NOTE_FORMS };
  for (const [verb, [done, work]] of Object.entries(forms))
    take(`${ACCOUNTS}/:id/${verb}`, done, work);
  // After a rejected sign-up there is no account to show.
  const toSignUps = formsOf(pages, app, "/admin/sign_ups", ACTS, showAccount);
  toSignUps(`${ACCOUNTS}/:id/reject`, "moderation.sign_ups.rejected", onEntry(rejectAccount));
  accountPostPages(pages, app);
  moderationNoteForms(pages, app);
};
