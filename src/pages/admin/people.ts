// Presents people to the staff: with their name and picture, whatever was decided about them.

import type { Account } from "../../../web/src/api/entities.ts";
import type { BadgePart, Inline } from "../../../web/src/served/part-pages.ts";
import { accountEntity, acct } from "../../domain/people/accounts/present.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import type { AdminAccountView } from "../../domain/staff/moderation/load.ts";
import { handle } from "../components.ts";
import type { Staff } from "./frame.ts";

export const accountOf = ({ app }: Pick<Staff, "app">, view: AccountView): Account =>
  accountEntity({ ...view, suspended_at: null }, app.config.site) as Account;

export const atName = (view: AccountView): string => `@${acct(view)}`;

export const accountLink = ({ app }: Pick<Staff, "app">, view: AccountView): Inline => ({
  link: `/admin/accounts/${view.id}`,
  text: handle(app.config.site, view),
});

/** Returns badges for the account's role and present state. */
export const stateBadges = ({ account, user }: AdminAccountView): BadgePart[] => {
  const isSuspended = account.suspended_at !== null;
  // A name that stays taken has nobody; a group never had.
  const isDeleted =
    isSuspended && !user && account.domain === null && account.actor_type !== "Group";
  const states: [boolean, BadgePart][] = [
    [isDeleted, { badge: "staff.state.deleted" }],
    [isSuspended && !isDeleted, { badge: "staff.state.suspended", kind: "bad" }],
    [user?.disabled === true, { badge: "staff.state.frozen", kind: "bad" }],
    [account.silenced_at !== null, { badge: "staff.state.limited", kind: "bad" }],
    [account.sensitized_at !== null, { badge: "staff.state.sensitive", kind: "bad" }],
    [user?.approved === false, { badge: "staff.state.unapproved" }],
    [user?.confirmed === false, { badge: "staff.state.unconfirmed" }],
  ];
  const role = user && account.role?.name;
  return [
    ...(role ? [{ badge: { plain: role }, kind: "good" } as const] : []),
    ...states.flatMap(([holds, badge]) => (holds ? badge : [])),
  ];
};
