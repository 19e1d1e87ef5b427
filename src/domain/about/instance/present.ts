// Presents the server as the Instance entities. https://docs.joinmastodon.org/entities/Instance/

import type { App } from "../../../platform/app.ts";
import { API_LEVEL, SOURCE_URL, VERSION_TEXT } from "../../../platform/version.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import { ruleEntity } from "../../base/rules/rules.ts";
import type { Details } from "./details.ts";
import { EXTENSION_NAMES, OWN_API_LEVEL } from "./extensions.ts";
import type { Figures } from "./figures.ts";
import { limitsV1, limitsV2, pleromaLimits } from "./limits.ts";

const contactAccount = (app: App, { contactAccount: view }: Details) =>
  view && accountEntity(view, app.config.site);

export const instanceV1Entity = (app: App, details: Details, figures: Figures) => {
  const { site, instance } = app.config;
  return {
    uri: site.localDomain,
    title: details.title,
    short_description: details.description,
    description: details.description,
    email: details.contactEmail,
    version: VERSION_TEXT,
    urls: { streaming_api: site.streamingOrigin },
    stats: {
      user_count: figures.users,
      status_count: figures.localPosts,
      domain_count: figures.domains,
    },
    thumbnail: details.thumbnail.url,
    languages: [instance.locale],
    registrations: details.registrations !== "closed",
    approval_required: details.registrations === "approved",
    invites_enabled: details.invites,
    configuration: limitsV1(app),
    ...pleromaLimits(app),
    contact_account: contactAccount(app, details),
    rules: details.rules.map(ruleEntity),
  };
};

/** Returns who may read timelines and trends: everybody, unless the API is closed to visitors. */
const timelinesAccess = (app: App) => {
  const who = app.config.access.closed ? "authenticated" : "public";
  const feeds = { local: who, remote: who };
  return { live_feeds: feeds, hashtag_feeds: feeds, trending_link_feeds: feeds };
};

const configuration = (app: App, details: Details) => {
  const { site, secrets, translation } = app.config;
  return {
    urls: {
      streaming: site.streamingOrigin,
      status: details.statusPageUrl,
      developers: `${site.origin}/developers`,
      about: `${site.origin}/about`,
      privacy_policy: `${site.origin}/privacy-policy`,
      terms_of_service: details.hasTerms ? `${site.origin}/terms-of-service` : null,
    },
    vapid: { public_key: secrets.vapid.publicKey },
    ...limitsV2(app),
    translation: { enabled: translation.deepl !== null || translation.libreTranslate !== null },
    timelines_access: timelinesAccess(app),
    limited_federation: false,
    rookery: EXTENSION_NAMES,
  };
};

const registrations = (details: Details) => ({
  enabled: details.registrations !== "closed",
  approval_required: details.registrations === "approved",
  reason_required: details.registrations === "approved",
  message: details.registrations === "closed" ? details.registrationsMessage : null,
  min_age: details.minAge,
  url: null,
});

export const instanceV2Entity = (app: App, details: Details, figures: Figures) => {
  const { site, instance } = app.config;
  return {
    domain: site.localDomain,
    title: details.title,
    version: VERSION_TEXT,
    source_url: SOURCE_URL ?? `${site.origin}/about`,
    description: details.description,
    wrapstodon: details.offeredYear,
    usage: { users: { active_month: figures.activeMonth } },
    thumbnail: details.thumbnail,
    icon: details.icons.map(({ src, side }) => ({ src, size: `${side}x${side}` })),
    ...(details.accentColour !== null && { accent_color: details.accentColour }),
    ...(details.trendsFirst && { trends_as_landing_page: true }),
    languages: [instance.locale],
    configuration: configuration(app, details),
    registrations: registrations(details),
    api_versions: { mastodon: API_LEVEL, rookery: OWN_API_LEVEL },
    contact: { email: details.contactEmail, account: contactAccount(app, details) },
    rules: details.rules.map(ruleEntity),
  };
};
