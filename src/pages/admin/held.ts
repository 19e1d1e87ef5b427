// Lists posts that wait for a decision: each with its buttons, and one bar for several.

import type { KeyLine, Part, Row } from "../../../web/src/served/part-pages.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { isHeldVerdict } from "../../domain/staff/moderation/held.ts";
import type { HeldVerdict } from "../../domain/staff/moderation/held.ts";
import type { MatchRow } from "../../domain/base/spam/tables.ts";
import { accountLink, atName } from "./people.ts";
import { entered } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { keyList, TICK } from "./keys.ts";
import type { Confirmation } from "./confirmation.ts";
import { tickedIds } from "./ticked.ts";

const HELD = "/admin/spam/held";
const SEVERAL_HELD = `${HELD}/several`;

const rowOf = (staff: Staff, match: MatchRow, author: AccountView | undefined): Row => {
  const { t } = staff;
  const { id, text, created_at: at } = match;
  const path = `${HELD}/${id}`;
  const of = author ? atName(author) : id;
  return {
    isEntry: true,
    tick: { name: `post_${id}`, label: ["moderation.spam.choose", { name: of }] },
    title: author && accountLink(staff, author),
    lines: [
      { said: text },
      { joined: [match.status_id !== null && t("moderation.spam.edit"), at] },
    ],
    acts: [
      { action: `${path}/approve`, label: "moderation.spam.publish", of, press: "p" },
      { action: `${path}/discard`, label: "moderation.spam.discard", of, kind: "bad", press: "d" },
    ],
  };
};

/** Returns the bar for ticked posts, or for all. */
const heldBar = (matches: MatchRow[]): Part => ({
  several: {
    action: SEVERAL_HELD,
    ids: matches.map(({ id }) => id),
    all: ["moderation.spam.all", { count: matches.length }],
    fields: [],
    buttons: [
      { name: "verdict", value: "approve", label: "moderation.spam.publish" },
      { name: "verdict", value: "discard", label: "moderation.spam.discard", kind: "bad" },
    ],
  },
});

export const chosenHeld = (staff: Staff): { verdict: HeldVerdict; ids: string[] } => {
  const { verdict = "" } = entered(staff);
  if (!isHeldVerdict(verdict)) throw new Unprocessable(staff.t("moderation.choose_act"));
  return { verdict, ids: tickedIds(staff, "post") };
};

export const heldConfirmation = async (staff: Staff): Promise<Confirmation | null> => {
  const { t } = staff;
  const { verdict, ids } = chosenHeld(staff);
  const count = ids.length;
  if (count === 0) return null;
  return {
    title: t(`moderation.spam.sure_${verdict}`, { count }),
    lines: [t(`moderation.spam.sure_${verdict}_line`)],
    label: t(verdict === "approve" ? "moderation.spam.publish" : "moderation.spam.discard"),
    act: verdict,
    count,
  };
};

const KEYS: readonly KeyLine[] = [
  TICK,
  ["p", "moderation.spam.publish"],
  ["d", "moderation.spam.discard"],
];

export const heldParts = (
  staff: Staff,
  matches: MatchRow[],
  authors: ReadonlyMap<string, AccountView>,
): (Part | false)[] => [
  {
    rows: matches.map((match) => rowOf(staff, match, authors.get(match.account_id))),
    none: "moderation.spam.none_held",
    kind: "held",
  },
  may(staff.actor, "spam.write") && heldBar(matches),
  matches.length > 0 && keyList(KEYS),
];
