// Presents views as the entities of groups (docs/API-EXTENSIONS.md).

import type { FullConfig } from "../../../platform/config/config.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import type { GroupView } from "./load.ts";
import type { GroupActRow } from "./tables.ts";

type Site = FullConfig["site"];

export const groupEntity = (view: GroupView, site: Site) => ({
  id: view.account_id,
  account: accountEntity(view.account, site),
  owner: view.owner && accountEntity(view.owner, site),
  moderators: view.moderators.map((moderator) => accountEntity(moderator, site)),
  note: view.role ? view.account.note : null,
  rules: view.rules,
  holds_posts: view.holds_posts,
  created_at: isoTime(view.created_at),
  role: view.role,
  waiting: view.waiting,
});

/** `accounts` maps ids to the accounts that acts name. */
export const groupActEntity = (
  row: GroupActRow,
  accounts: ReadonlyMap<string, AccountView>,
  site: Site,
) => {
  const named = (id: string | null) => {
    const account = id === null ? undefined : accounts.get(id);
    return account ? accountEntity(account, site) : null;
  };
  return {
    id: row.id,
    action: row.action,
    account: named(row.account_id),
    target: named(row.target_id),
    status_id: row.status_id,
    created_at: isoTime(row.created_at),
  };
};
