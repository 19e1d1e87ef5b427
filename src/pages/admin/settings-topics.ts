// Groups the settings by topic: which of them are on which page, and what only the environment sets.

import type { Config } from "../../platform/config/config.ts";
import type { Key, Say } from "../../platform/text/texts.ts";
import type { PublicName } from "../../domain/base/settings/definitions.ts";

/** A value that a variable of the environment sets; it is shown, but not changed here. */
export type Variable = {
  name: string;
  about: Key;
  value: (config: Config, t: Say) => string | number;
};

const isOn = (t: Say, on: boolean): string => t(on ? "staff.on" : "staff.off");

const days = (t: Say, count: number): string =>
  count === 0 ? t("staff.environment.for_ever") : t("staff.environment.days", { count });

const GENERAL: Variable[] = [
  {
    name: "LOCAL_DOMAIN",
    about: "staff.environment.domain",
    value: ({ site }) => site.localDomain,
  },
  {
    name: "DEFAULT_LOCALE",
    about: "staff.environment.language",
    value: ({ instance }) => instance.locale,
  },
];

const SIGN_UPS: Variable[] = [
  {
    name: "HCAPTCHA_SITE_KEY",
    about: "staff.environment.captcha",
    value: ({ captcha }, t) => isOn(t, captcha !== null),
  },
];

const POSTS: Variable[] = [
  {
    name: "MAX_TOOT_CHARS",
    about: "staff.environment.characters",
    value: ({ instance }) => instance.maxCharacters,
  },
  {
    name: "PREVIEW_CARDS",
    about: "staff.environment.cards",
    value: ({ previewCards }, t) => isOn(t, previewCards),
  },
  {
    name: "DEEPL_API_KEY, LIBRE_TRANSLATE_ENDPOINT",
    about: "staff.environment.translation",
    value: ({ translation }, t) =>
      (translation.deepl && "DeepL") ?? translation.libreTranslate?.endpoint ?? t("staff.off"),
  },
];

const FEDERATION: Variable[] = [
  {
    name: "LIMITED_FEDERATION_MODE",
    about: "staff.environment.limited",
    value: ({ access }, t) => isOn(t, access.limitedFederation),
  },
  {
    name: "AUTHORIZED_FETCH",
    about: "staff.environment.signed",
    value: ({ access }, t) => isOn(t, access.signedFetches),
  },
];

const PRIVACY: Variable[] = [
  {
    name: "DISALLOW_UNAUTHENTICATED_API_ACCESS",
    about: "staff.environment.closed",
    value: ({ access }, t) => isOn(t, access.closed),
  },
  {
    name: "NOTIFICATION_RETENTION_DAYS",
    about: "staff.environment.notifications",
    value: ({ retention }, t) => days(t, retention.notificationDays),
  },
  {
    name: "REMOTE_STATUS_RETENTION_DAYS",
    about: "staff.environment.posts",
    value: ({ retention }, t) => days(t, retention.remoteStatusDays),
  },
  {
    name: "MEDIA_CACHE_GB",
    about: "staff.environment.media",
    value: ({ media }) => `${media.cacheBytes / 1024 ** 3} GB`,
  },
];

export type Topic = { settings: readonly PublicName[]; variables: readonly Variable[] };

/** Topics with a form of settings. */
export const TOPICS = {
  general: {
    settings: [
      "title",
      "description",
      "extended_description",
      "contact_email",
      "contact_account",
      "status_page_url",
    ],
    variables: GENERAL,
  },
  look: { settings: ["accent_color", "thumbnail_url", "thumbnail_description"], variables: [] },
  registrations: {
    settings: ["registrations", "registrations_message", "min_age", "reserved_names"],
    variables: SIGN_UPS,
  },
  posts: {
    settings: ["default_quote_policy", "languages_by_locale", "group_creation"],
    variables: POSTS,
  },
  discovery: {
    settings: [
      "trends",
      "trendable_by_default",
      "trends_as_landing_page",
      "profile_directory",
      "activity_api",
    ],
    variables: [],
  },
  federation: {
    settings: ["peers_api", "show_domain_blocks", "show_domain_blocks_rationale"],
    variables: FEDERATION,
  },
  privacy: { settings: ["privacy_policy"], variables: PRIVACY },
} as const satisfies Record<string, Topic>;

export type TopicName = keyof typeof TOPICS;

/** Pages in the order of the tabs. */
export const PAGES = [
  "general",
  "look",
  "registrations",
  "posts",
  "discovery",
  "federation",
  "privacy",
  "mail",
  "terms",
  "texts",
] as const;
