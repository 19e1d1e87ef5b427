// What the server says of itself: the settings over the configuration, and whom to write to.

import type { App } from "../../platform/app.ts";
import { onChange } from "../../platform/db/changes.ts";
import { keepWhileHeard } from "../../platform/db/heard.ts";
import type { Heard } from "../../platform/db/heard.ts";
import { OWNER_CHANGED } from "../accounts/events.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import { allSettings, DEFAULT_REGISTRATIONS } from "../settings/settings.ts";
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

const owners = new WeakMap<App, Heard<string | null>>();

/** The id of the (first) owner's account; told of like the settings. */
const ownerId = (app: App): Promise<string | null> => {
  if (!app.config.caches.statuses) return selectOwnerAccountId(app.sql);
  const present = owners.get(app);
  if (present) return present.get();
  const made = keepWhileHeard(app, "settings", () => selectOwnerAccountId(app.sql));
  owners.set(app, made);
  onChange(app.sql, (keys) => {
    if (keys.has(OWNER_CHANGED) || keys.has("all")) made.forget();
  });
  return made.get();
};

const contactAccount = async (app: App): Promise<AccountView | null> => {
  const id = await ownerId(app);
  const view = id === null ? null : (await loadAccounts(app, [id])).get(id);
  return view && view.suspended_at === null ? view : null;
};

type Made = { set: Partial<Settings>; details: Details };

const lastMade = new WeakMap<App, Made>();

/** The same object as long as nothing of it changes. */
export const instanceDetails = async (app: App): Promise<Details> => {
  const [set, contact] = await Promise.all([allSettings(app), contactAccount(app)]);
  const last = lastMade.get(app);
  if (last && last.set === set && last.details.contactAccount === contact) return last.details;
  const { instance } = app.config;
  const details: Details = {
    title: set.title ?? instance.title,
    description: set.description ?? instance.description,
    contactEmail: set.contact_email ?? instance.contactEmail,
    contactAccount: contact,
    registrations: set.registrations ?? DEFAULT_REGISTRATIONS,
    registrationsMessage: set.registrations_message ?? null,
  };
  lastMade.set(app, { set, details });
  return details;
};
