// The server's description of itself: settings, or else the configuration, and the contact.

import type { App } from "../../platform/app.ts";
import { onInvalidate } from "../../platform/db/invalidate.ts";
import { keepWhileHeard } from "../../platform/db/heard.ts";
import type { Heard } from "../../platform/db/heard.ts";
import { OWNER_CHANGED } from "../accounts/events.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import { allSettings, DEFAULT_REGISTRATIONS } from "../settings/settings.ts";
import type { Settings } from "../settings/settings.ts";
import { offeredYear } from "../annual/years.ts";
import { currentRules } from "../rules/rules.ts";
import type { RuleRow } from "../rules/tables.ts";
import { selectContactId, selectOwnerAccountId } from "./queries.ts";
import type { TermsRow } from "./queries.ts";
import { allTerms } from "./terms.ts";

export type Details = {
  title: string;
  /** Plain text. */
  description: string;
  contactEmail: string;
  contactAccount: AccountView | null;
  registrations: Settings["registrations"];
  registrationsMessage: string | null;
  statusPageUrl: string | null;
  thumbnail: { url: string; description: string | null } | null;
  rules: RuleRow[];
  hasTerms: boolean;
  /** The year of which reports are offered now. */
  offeredYear: number | null;
};

const owners = new WeakMap<App, Heard<string | null>>();

/** The account id of the (first) owner; cached as the settings are. */
const ownerId = (app: App): Promise<string | null> => {
  if (!app.config.caches.statuses) return selectOwnerAccountId(app.sql);
  const present = owners.get(app);
  if (present) return present.get();
  const made = keepWhileHeard(app, "settings", () => selectOwnerAccountId(app.sql));
  owners.set(app, made);
  onInvalidate(app.sql, (keys) => {
    if (keys.has(OWNER_CHANGED) || keys.has("all")) made.forget();
  });
  return made.get();
};

const contactAccount = async (app: App, name?: string): Promise<AccountView | null> => {
  const chosen = name ? await selectContactId(app.sql, name) : null;
  const id = chosen ?? (await ownerId(app));
  const view = id === null ? null : (await loadAccounts(app, [id])).get(id);
  return view && view.suspended_at === null ? view : null;
};

/** What the details are made from: the same objects as long as nothing changes. */
type Sources = {
  set: Partial<Settings>;
  contact: AccountView | null;
  rules: RuleRow[];
  terms: TermsRow[];
  year: number | null;
};
type Made = { sources: Sources; details: Details };

const lastMade = new WeakMap<App, Made>();

const readSources = async (app: App): Promise<Sources> => {
  const [set, rules, terms] = await Promise.all([
    allSettings(app),
    currentRules(app),
    allTerms(app),
  ]);
  const contact = await contactAccount(app, set.contact_account);
  return { set, contact, rules, terms, year: offeredYear(app.clock.now()) };
};

const areSame = (one: Sources, other: Sources): boolean =>
  (Object.keys(one) as (keyof Sources)[]).every((name) => one[name] === other[name]);

const thumbnailOf = ({ thumbnail_url: url, thumbnail_description: text }: Partial<Settings>) =>
  url ? { url, description: text || null } : null;

const makeDetails = (app: App, { set, contact, rules, terms, year }: Sources): Details => {
  const { instance } = app.config;
  return {
    title: set.title ?? instance.title,
    description: set.description ?? instance.description,
    contactEmail: set.contact_email ?? instance.contactEmail,
    contactAccount: contact,
    registrations: set.registrations ?? DEFAULT_REGISTRATIONS,
    registrationsMessage: set.registrations_message ?? null,
    statusPageUrl: set.status_page_url ?? null,
    thumbnail: thumbnailOf(set),
    rules,
    hasTerms: terms.length > 0,
    offeredYear: year,
  };
};

/** The same object as long as nothing in it changes. */
export const instanceDetails = async (app: App): Promise<Details> => {
  const sources = await readSources(app);
  const last = lastMade.get(app);
  if (last && areSame(last.sources, sources)) return last.details;
  const details = makeDetails(app, sources);
  lastMade.set(app, { sources, details });
  return details;
};
