// Shows appeals to the staff: what was decided, what the person says, and the second decision.

import type { KeyLine, Part } from "../../../web/src/served/part-pages.ts";
import { approveAppeal, rejectAppeal } from "../../domain/staff/moderation/appeals.ts";
import { listAppealed } from "../../domain/reading/strikes/appeals.ts";
import type { StrikeView } from "../../domain/reading/strikes/tables.ts";
import { accountOf } from "./people.ts";
import { decision, older } from "./page-parts.ts";
import { onEntry, pageWithForms } from "./forms.ts";
import { entered, pageOf, sendAdmin } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { keyList, KEYS_SCRIPT } from "./keys.ts";

const APPEALS = "/admin/appeals";
const DECIDED = `${APPEALS}?decided=1`;
const ACTS = ["appeals.decide"] as const;
const LIMIT = 30;

const KEYS: readonly KeyLine[] = [
  ["a", "moderation.appeals.accept"],
  ["r", "moderation.appeals.reject"],
];

const ANSWERS = ["moderation.appeals.accept", "moderation.appeals.reject"] as const;

const appealPanel = (context: Staff, strike: StrikeView): Part => {
  const { t } = context;
  const { id, target, text, report_id: reportId } = strike;
  const account = `/admin/accounts/${target.id}#strike-${id}`;
  return {
    isEntry: true,
    panel: [
      { who: accountOf(context, target) },
      {
        text: {
          joined: [
            [{ strong: t(`moderation.decision.${strike.action}`) }, strike.created_at],
            reportId && { link: `/admin/reports/${reportId}`, text: t("moderation.report") },
            { link: account, text: t("moderation.reports.account"), open: true },
          ],
        },
      },
      text && { text: t("moderation.appeals.reason", { text }), isSoft: true },
      { quote: strike.appeal_text },
      strike.appeal_decided
        ? {
            text: strike.appeal_approved
              ? { badge: "moderation.appeals.is_accepted", kind: "good" }
              : { badge: "moderation.appeals.is_rejected", kind: "bad" },
          }
        : { acts: decision(`${APPEALS}/${id}`, target.username, ANSWERS) },
    ],
  };
};

const show: Show = async (context) => {
  const decided = entered(context)["decided"] === "1";
  const strikes = await listAppealed(context.app, decided, pageOf(context, LIMIT));
  const isEmpty = strikes.length === 0;
  return sendAdmin(context, {
    script: KEYS_SCRIPT,
    parts: [
      {
        title: "staff.section.appeals",
        shown: decided ? DECIDED : APPEALS,
        tabs: [
          [APPEALS, "moderation.appeals.waiting"],
          [DECIDED, "moderation.appeals.decided"],
        ],
      },
      isEmpty && { none: decided ? "moderation.appeals.none_decided" : "moderation.appeals.none" },
      ...strikes.map((strike) => appealPanel(context, strike)),
      !decided && !isEmpty && keyList(KEYS),
      older(strikes, LIMIT),
    ],
  });
};

export const appealPages = pageWithForms({ path: APPEALS, read: ACTS, show }, [
  ["/:id/approve", "moderation.appeals.approved", onEntry(approveAppeal)],
  ["/:id/reject", "moderation.appeals.rejected", onEntry(rejectAppeal)],
]);
