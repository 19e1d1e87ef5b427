// Loads the user of a local account and their settings.

import type { App } from "../../../platform/app.ts";
import { getAccount } from "./load.ts";
import { getSetting } from "../../base/settings/settings.ts";
import { cachedReader } from "../../../platform/caches/records.ts";
import { sizeOf } from "../../../platform/caches/bounded.ts";
import { selectOwnPart, selectUserByAccount } from "./queries.ts";
import type { AccountView, OwnPart, UserRow, UserSettings } from "./tables.ts";

/** Most follow requests that are counted (limits.json of the contract, follow_requests_count_cap). */
const REQUESTS_CAP = 40;
/** Estimated bytes of the JSON that is cached with it. */
const JSON_BYTES = 2000;

/** Depends on `relations`, because of the waiting follow requests. */
export const cachedOwnPart = cachedReader<OwnPart>(
  { name: "people", kind: ["person", "relations"], size: (own) => sizeOf(own) + JSON_BYTES },
  (db, accountId) => selectOwnPart(db, accountId, REQUESTS_CAP),
);

/** Returns empty settings for accounts without a user. */
export const getSettings = async (app: App, accountId: string): Promise<UserSettings> =>
  (await cachedOwnPart(app, accountId)).settings;

/** Returns the quote policy of posts that name none: the person's, or else the server's default. */
export const defaultQuotePolicy = async (
  app: App,
  { quote_policy: chosen }: UserSettings,
): Promise<NonNullable<UserSettings["quote_policy"]>> =>
  chosen ?? getSetting(app, "default_quote_policy", "public");

/** Returns the user of a local account; null for others. */
export const findUser = (app: App, accountId: string): Promise<UserRow | null> =>
  selectUserByAccount(app.sql, accountId);

/** A person with their settings, for jobs that act in their name. */
export type Person = {
  id: string;
  account: AccountView;
  settings: UserSettings;
  locale: string;
};

/** Returns null for a person who was deleted or may not act any more. */
export const loadPerson = async (app: App, accountId: string): Promise<Person | null> => {
  const user = await selectUserByAccount(app.sql, accountId);
  if (!user || user.disabled) return null;
  const account = await getAccount(app, accountId);
  if (account.suspended_at !== null) return null;
  return { id: account.id, account, settings: user.settings, locale: user.locale };
};
