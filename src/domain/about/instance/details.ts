// Describes the server: by its settings, or else the configuration, and the contact.

import type { App } from "../../../platform/app.ts";
import { memoizeLast } from "../../../platform/caches/memoize-last.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import { OWNER_CHANGED } from "../../people/accounts/events.ts";
import { loadAccounts } from "../../people/accounts/load.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { bannerOf, iconsOf } from "../../base/settings/pictures.ts";
import { allSettings, DEFAULT_REGISTRATIONS } from "../../base/settings/settings.ts";
import type { Settings } from "../../base/settings/settings.ts";
import { offeredYear } from "../../reading/annual/years.ts";
import { mayOneOf } from "../../base/roles/permissions.ts";
import { everyonesRole } from "../../base/roles/roles.ts";
import type { RoleRow } from "../../base/roles/tables.ts";
import { currentRules } from "../../base/rules/rules.ts";
import type { RuleRow } from "../../base/rules/tables.ts";
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
  minAge: number | null;
  /** Whether people without a role may invite others. */
  invites: boolean;
  statusPageUrl: string | null;
  thumbnail: {
    url: string;
    description: string | null;
    blurhash?: string | null;
    versions?: { "@1x": string; "@2x": string };
  };
  icons: { src: string; side: number }[];
  /** Null for the built-in one. */
  accentColour: string | null;
  /** Whether the front page shows trending posts. */
  trendsFirst: boolean;
  rules: RuleRow[];
  hasTerms: boolean;
  /** Year of which reports are offered now. */
  offeredYear: number | null;
};

/** Caches the id of the (first) owner's account; changes are notified as for settings. */
const ownerId = listenedValue<string | null>({
  name: "owner",
  channel: "settings",
  key: OWNER_CHANGED,
  read: selectOwnerAccountId,
});

const contactAccount = async (app: App, name?: string): Promise<AccountView | null> => {
  const chosen = name ? await selectContactId(app.sql, name) : null;
  const id = chosen ?? (await ownerId(app));
  const view = id === null ? null : (await loadAccounts(app, [id])).get(id);
  return view && view.suspended_at === null ? view : null;
};

/** Sources of the details: the same objects as long as nothing changes. */
type Sources = {
  set: Partial<Settings>;
  contact: AccountView | null;
  rules: RuleRow[];
  terms: TermsRow[];
  year: number | null;
  everybody: RoleRow;
};

const readSources = async (app: App): Promise<Sources> => {
  const [set, rules, terms, everybody] = await Promise.all([
    allSettings(app),
    currentRules(app),
    allTerms(app),
    everyonesRole(app),
  ]);
  const contact = await contactAccount(app, set.contact_account);
  return { set, contact, rules, terms, year: offeredYear(app.clock.now()), everybody };
};

/** Returns an uploaded picture, otherwise one at another address, otherwise the built-in one. */
const thumbnailOf = (app: App, set: Partial<Settings>): Details["thumbnail"] => {
  const description = set.thumbnail_description || null;
  const banner = bannerOf(set, app.config.site);
  if (banner) return { ...banner, description };
  if (set.thumbnail_url) return { url: set.thumbnail_url, description };
  const { site, instance } = app.config;
  return {
    url: `${site.origin}/preview.png`,
    description: textsIn(instance.locale).t("preview.built_in"),
  };
};

const makeDetails = (
  app: App,
  { set, contact, rules, terms, year, everybody }: Sources,
): Details => {
  const { instance } = app.config;
  return {
    title: set.title ?? instance.title,
    description: set.description ?? instance.description,
    contactEmail: set.contact_email ?? instance.contactEmail,
    contactAccount: contact,
    registrations: set.registrations ?? DEFAULT_REGISTRATIONS,
    registrationsMessage: set.registrations_message ?? null,
    minAge: set.min_age ?? null,
    invites: mayOneOf(everybody.permissions, ["invite_users"]),
    statusPageUrl: set.status_page_url ?? null,
    thumbnail: thumbnailOf(app, set),
    icons: iconsOf(set, app.config.site),
    accentColour: set.accent_color ?? null,
    trendsFirst: (set.trends ?? true) && (set.trends_as_landing_page ?? false),
    rules,
    hasTerms: terms.length > 0,
    offeredYear: year,
  };
};

const detailsOf = memoizeLast("instance details", makeDetails);

/** Returns the same object as long as nothing of it changes. */
export const instanceDetails = async (app: App): Promise<Details> =>
  detailsOf(app, await readSources(app));
