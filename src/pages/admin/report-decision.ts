// The decisions about the account of a report: the form, its keys, and the questions before.

import type { KeyLine, Part } from "../../../web/src/served/part-pages.ts";
import { acct } from "../../domain/people/accounts/present.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { may } from "../../domain/base/roles/acts.ts";
import type { Act } from "../../domain/base/roles/acts.ts";
import type { AdminReportView } from "../../domain/staff/moderation/load.ts";
import type { Decision as ReportDecision } from "../../domain/staff/moderation/reports.ts";
import type { Actor } from "../../domain/base/roles/permissions.ts";
import { listPresets } from "../../domain/reading/strikes/strikes.ts";
import { reason } from "./page-parts.ts";
import { presetField } from "./presets.ts";
import type { Staff } from "./frame.ts";
import type { Confirmation } from "./confirmation.ts";

type DecisionName = ReportDecision["name"];

type Decision = { key: string; needs: Act; isBad?: true; posts?: true; local?: true };

/** Decisions in the order of how much they change; the first changes nothing. */
const DECISIONS: Record<DecisionName, Decision> = {
  resolve: { key: "n", needs: "reports.write" },
  none: { key: "w", needs: "accounts.warn" },
  mark_statuses_as_sensitive: { key: "m", needs: "accounts.warn", posts: true },
  delete_statuses: { key: "d", needs: "accounts.warn", isBad: true, posts: true },
  sensitive: { key: "e", needs: "accounts.sensitive" },
  silence: { key: "l", needs: "accounts.silence" },
  disable: { key: "f", needs: "accounts.disable", local: true },
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

export const decisionKeys = (actor: Actor, views: AdminReportView[]): KeyLine[] => [
  [REASON, "moderation.keys.reason"],
  ...offeredFor(actor, views).map(([name, { key }]): KeyLine => [
    key,
    `moderation.reports.decide.${name}`,
  ]),
];

export const decisionPart = async (staff: Staff, views: AdminReportView[]): Promise<Part> => {
  const { app, actor, t } = staff;
  const { report, target } = views[0]!;
  const isLocal = target.account.domain === null;
  return {
    anchor: "decide",
    panel: [
      { heading: "moderation.decide" },
      views.length > 1 && { text: t("moderation.reports.for_all", { count: views.length }) },
      {
        form: {
          action: `/admin/reports/${report.id}/decide`,
          fields: [
            presetField(staff, await listPresets(app)),
            {
              ...reason(isLocal ? "moderation.reason_sent" : "moderation.reason_kept"),
              press: REASON,
            },
            isLocal && { boxes: [{ name: "mail", label: "moderation.also_mail" }] },
          ],
          values: { mail: true },
          submit: offeredFor(actor, views).map(([value, { key, isBad }]) => ({
            name: "decision",
            value,
            label: `moderation.reports.decide.${value}`,
            kind: isBad ? "bad" : "plain",
            press: key,
          })),
        },
      },
    ],
  };
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
  act: name,
});
