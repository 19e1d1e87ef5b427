// What the server says of itself: the settings over the configuration, and whom to write to.

import type { App } from "../../platform/app.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import { DEFAULT_REGISTRATIONS, getSettings } from "../settings/settings.ts";
import type { Settings } from "../settings/settings.ts";
import { selectOwnerAccountId } from "./queries.ts";

export type Details = {
  title: string;
  /** Plain text. */
  description: string;
  contactEmail: string;
  contactAccount: AccountView | null;
  registrations: Settings["registrations"];
  registrationsMessage: string | null;
};

const contactAccount = async (app: App): Promise<AccountView | null> => {
  const id = await selectOwnerAccountId(app.sql);
  return id === null ? null : ((await loadAccounts(app, [id])).get(id) ?? null);
};

export const instanceDetails = async (app: App): Promise<Details> => {
  const [set, contact] = await Promise.all([
    getSettings(app, [
      "title",
      "description",
      "contact_email",
      "registrations",
      "registrations_message",
    ]),
    contactAccount(app),
  ]);
  const { instance } = app.config;
  return {
    title: set.title ?? instance.title,
    description: set.description ?? instance.description,
    contactEmail: set.contact_email ?? instance.contactEmail,
    contactAccount: contact,
    registrations: set.registrations ?? DEFAULT_REGISTRATIONS,
    registrationsMessage: set.registrations_message ?? null,
  };
};
