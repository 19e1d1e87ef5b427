// A person of ours with what they have chosen, for work that is done in their name while they are away.

import type { App } from "../../platform/app.ts";
import { getAccount } from "./load.ts";
import { selectUserByAccount } from "./queries.ts";
import type { AccountView, UserSettings } from "./tables.ts";

export type Person = { account: AccountView; settings: UserSettings; locale: string };

/** Null for who is gone, or may not act any more. */
export const loadPerson = async (app: App, accountId: string): Promise<Person | null> => {
  const user = await selectUserByAccount(app.sql, accountId);
  if (!user || user.disabled) return null;
  const account = await getAccount(app, accountId);
  if (account.suspended_at !== null) return null;
  return { account, settings: user.settings, locale: user.locale };
};
