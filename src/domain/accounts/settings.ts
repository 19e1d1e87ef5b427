// The person behind an account of ours, and what they have chosen for themselves.

import type { App } from "../../platform/app.ts";
import { getSetting } from "../settings/settings.ts";
import { getAccount } from "./load.ts";
import { selectUserByAccount } from "./queries.ts";
import type { AccountView, UserRow, UserSettings } from "./tables.ts";

/** Empty for accounts that nobody signs in to. */
export const getSettings = async (app: App, accountId: string): Promise<UserSettings> =>
  (await selectUserByAccount(app.sql, accountId))?.settings ?? {};

/** Who may quote a person's new posts where they do not say: as they chose, or as the server has it. */
export const usualQuotePolicy = async (
  app: App,
  { quote_policy: chosen }: UserSettings,
): Promise<NonNullable<UserSettings["quote_policy"]>> =>
  chosen ?? getSetting(app, "default_quote_policy", "public");

/** The user behind an account of ours; null for others. */
export const findUser = (app: App, accountId: string): Promise<UserRow | null> =>
  selectUserByAccount(app.sql, accountId);

/** With what they have chosen, for work that is done in their name while they are away. */
export type Person = { account: AccountView; settings: UserSettings; locale: string };

/** Null for who is gone, or may not act any more. */
export const loadPerson = async (app: App, accountId: string): Promise<Person | null> => {
  const user = await selectUserByAccount(app.sql, accountId);
  if (!user || user.disabled) return null;
  const account = await getAccount(app, accountId);
  if (account.suspended_at !== null) return null;
  return { account, settings: user.settings, locale: user.locale };
};
