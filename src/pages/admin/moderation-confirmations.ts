// Questions before decisions on reports, appeals, sign-ups and held posts that take nothing away. They are asked only
// of those who decide by a key (keys.ts), which may be pressed by mistake, and before changes of several at once.

import type { Key } from "../../platform/text/texts.ts";
import { entered } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { heldConfirmation } from "./held.ts";
import type { Confirmation } from "./confirmation.ts";
import { bulkConfirmation } from "./bulk-bar.ts";

/** Whether the form was sent by a key; the script of the keys adds this field. */
export const isByKey = (staff: Staff): boolean => entered(staff)["ask"] === "1";

const byKey =
  (label: Key, line: Key, title?: Key) =>
  async (staff: Staff): Promise<Confirmation | null> => {
    const { t } = staff;
    if (!isByKey(staff)) return null;
    const act = t(label);
    return {
      title: title ? t(title) : t("moderation.ask.sure", { act }),
      lines: [t(line)],
      label: act,
      act: "decide",
    };
  };

export const MODERATION_CONFIRMATIONS: Readonly<
  Record<string, (staff: Staff) => Promise<Confirmation | null>>
> = {
  "/admin/accounts/several": bulkConfirmation,
  "/admin/sign_ups/several": bulkConfirmation,
  "/admin/spam/held/several": heldConfirmation,
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
