// Questions before decisions on reports, appeals, sign-ups and held posts that take nothing away. They are asked only
// of those who decide by a key (keys.ts), which may be pressed by mistake, and before changes of several at once.

import type { Key } from "../../platform/text/texts.ts";
import { entered } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { heldQuestion } from "./held.ts";
import type { Question } from "./question.ts";
import { severalQuestion } from "./several.ts";

/** Whether the form was sent by a key; the script of the keys adds this field. */
export const isByKey = (staff: Staff): boolean => entered(staff)["ask"] === "1";

const byKey =
  (label: Key, line: Key, title?: Key) =>
  async (staff: Staff): Promise<Question | null> => {
    const { t } = staff;
    if (!isByKey(staff)) return null;
    const act = t(label);
    return {
      title: title ? t(title) : t("moderation.ask.sure", { act }),
      lines: [t(line)],
      label: act,
      isMild: true,
    };
  };

export const DESK_QUESTIONS: Readonly<Record<string, (staff: Staff) => Promise<Question | null>>> =
  {
    "/admin/accounts/several": severalQuestion,
    "/admin/sign_ups/several": severalQuestion,
    "/admin/spam/held/several": heldQuestion,
    "/admin/sign_ups/:id/approve": byKey(
      "moderation.sign_ups.approve",
      "moderation.ask.approve_line",
    ),
    "/admin/spam/held/:id/approve": byKey(
      "moderation.spam.publish",
      "moderation.spam.sure_approve_line",
    ),
    "/admin/appeals/:id/approve": byKey("moderation.appeals.accept", "moderation.ask.accept_line"),
    "/admin/appeals/:id/reject": byKey("moderation.appeals.reject", "moderation.ask.reject_line"),
    "/admin/reports/:id/assign": byKey(
      "moderation.reports.assign",
      "moderation.ask.assign_line",
      "moderation.ask.assign",
    ),
    "/admin/reports/:id/unassign": byKey(
      "moderation.reports.unassign",
      "moderation.ask.unassign_line",
      "moderation.ask.unassign",
    ),
  };
