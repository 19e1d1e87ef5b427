// The decisions about the account of a report: the form, its keys, and the questions before.

import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { acct } from "../../domain/people/accounts/present.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { may } from "../../domain/base/roles/acts.ts";
import type { Act } from "../../domain/base/roles/acts.ts";
import type { AdminReportView } from "../../domain/staff/moderation/load.ts";
import type { Decision as ReportDecision } from "../../domain/staff/moderation/reports.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import type { Actor } from "../../domain/base/roles/permissions.ts";
import { listPresets } from "../../domain/reading/strikes/strikes.ts";
import { entered, form } from "./frame.ts";
import type { Staff } from "./frame.ts";
import type { KeyLine } from "./keys.ts";
import type { Confirmation } from "./confirmation.ts";
import { checkbox } from "./components.ts";
import { presetChoice } from "./presets.ts";

type DecisionName = ReportDecision["name"];

type Decision = { key: string; needs: Act; isBad?: true; posts?: true; local?: true };

/** Decisions in the order of how much they change; the first changes nothing. */
const DECISIONS: Record<DecisionName, Decision> = {
  resolve: { key: "n", needs: "reports.write" },
  none: { key: "w", needs: "accounts.warn" },
  mark_statuses_as_sensitive: { key: "m", needs: "accounts.warn", posts: true },
  delete_statuses: { key: "d", needs: "accounts.warn", isBad: true, posts: true },
  sensitive: { key: "e", needs: "accounts.sensitive" },
  silence: { key: "l", needs: "accounts.silence", isBad: true },
  disable: { key: "f", needs: "accounts.disable", isBad: true, local: true },
  suspend: { key: "s", needs: "accounts.suspend", isBad: true },
};

export const decisionOf = (text = ""): DecisionName | null =>
  Object.hasOwn(DECISIONS, text) ? (text as DecisionName) : null;

/** `views` are all open reports about one account. */
const offeredFor = (actor: Actor, views: AdminReportView[]): [DecisionName, Decision][] => {
  const { account } = views[0]!.target;
  const havePosts = views.some(({ statuses }) => statuses.length > 0);
  return (Object.entries(DECISIONS) as [DecisionName, Decision][]).filter(
    ([, { posts, local, needs }]) =>
      may(actor, needs, account) && (!posts || havePosts) && (!local || account.domain === null),
  );
};

const REASON = "r";

const reasonField = ({ t }: Staff, value: string, account: AccountView): Html =>
  html`<div data-key="${REASON}">
    ${inputField({
      name: "text",
      label: t("moderation.reason"),
      type: "textarea",
      value,
      optional: true,
      maxlength: 5000,
      hint: t(account.domain === null ? "moderation.reason_sent" : "moderation.reason_kept"),
    })}
  </div>`;

export const decisionKeys = (actor: Actor, views: AdminReportView[]): KeyLine[] => [
  [REASON, "moderation.keys.reason"],
  ...offeredFor(actor, views).map(([name, { key }]): KeyLine => [
    key,
    `moderation.reports.decide.${name}`,
  ]),
];

export const decisionPart = async (staff: Staff, views: AdminReportView[]): Promise<HtmlValue> => {
  const { app, actor, t } = staff;
  const { report, target } = views[0]!;
  const { account } = target;
  const fields = entered(staff);
  const isLocal = account.domain === null;
  return html`<section class="panel" id="decide">
    <h2>${t("moderation.decide")}</h2>
    ${views.length > 1 && html`<p>${t("moderation.reports.for_all", { count: views.length })}</p>`}
    ${form(
      staff,
      `/admin/reports/${report.id}/decide`,
      html`${presetChoice(staff, await listPresets(app), fields["preset"])}
        ${reasonField(staff, fields["text"] ?? "", account)}
        ${isLocal && html`<div class="choices">${checkbox("mail", t("moderation.also_mail"), true)}</div>`}
        <div class="buttons">
          ${offeredFor(actor, views).map(
            ([name, { key, isBad }]) =>
              html`<button
                class="button ${isBad ? "bad" : "plain"}"
                name="decision"
                value="${name}"
                data-key="${key}"
              >
                ${t(`moderation.reports.decide.${name}`)}
              </button>`,
          )}
        </div>`,
    )}
  </section>`;
};

/** Returns the question before decisions for which nothing is counted. */
export const plainConfirmation = (
  { t }: Staff,
  name: Exclude<DecisionName, "delete_statuses" | "suspend">,
  account: AccountView,
): Confirmation => ({
  title: t("moderation.reports.sure", {
    decision: t(`moderation.reports.decide.${name}`),
    name: `@${acct(account)}`,
  }),
  lines: [t(`moderation.reports.follows.${name}`)],
  label: t(`moderation.reports.decide.${name}`),
  isMild: name !== "disable" && name !== "silence",
});
