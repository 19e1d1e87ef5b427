// What a person has chosen for themselves.

import type { App } from "../../platform/app.ts";
import { selectUserByAccount } from "./queries.ts";
import type { UserRow, UserSettings } from "./tables.ts";

/** Empty for accounts that nobody signs in to. */
export const getSettings = async (app: App, accountId: string): Promise<UserSettings> =>
  (await selectUserByAccount(app.sql, accountId))?.settings ?? {};

/** The user behind an account of ours; null for others. */
export const findUser = (app: App, accountId: string): Promise<UserRow | null> =>
  selectUserByAccount(app.sql, accountId);
