// Groups the settings by topic: which of them are on which page, and what only the environment sets.

import type { Config } from "../../platform/config/config.ts";
import type { Key, Say } from "../../platform/text/texts.ts";
import type { PublicName } from "../../domain/base/settings/definitions.ts";

/** A value that a variable of the environment sets; it is shown, but not changed here. */
export type Variable = readonly [
  name: string,
  about: Key,
  value: (config: Config, t: Say) => string | number,
];

const isOn = (t: Say, on: boolean): string => t(on ? "staff.on" : "staff.off");

const days = (t: Say, count: number): string =>
  count === 0 ? t("staff.environment.for_ever") : t("staff.environment.days", { count });

const GENERAL: Variable[] = [
  ["LOCAL_DOMAIN", "staff.environment.domain", ({ site }) => site.localDomain],
  ["DEFAULT_LOCALE", "staff.environment.language", ({ instance }) => instance.locale],
];

const SIGN_UPS: Variable[] = [
  ["HCAPTCHA_SITE_KEY", "staff.environment.captcha", ({ captcha }, t) => isOn(t, captcha !== null)],
];

const POSTS: Variable[] = [
  ["MAX_TOOT_CHARS", "staff.environment.characters", ({ instance }) => instance.maxCharacters],
  ["PREVIEW_CARDS", "staff.environment.cards", ({ previewCards }, t) => isOn(t, previewCards)],
  [
    "DEEPL_API_KEY, LIBRE_TRANSLATE_ENDPOINT",
    "staff.environment.translation",
    ({ translation }, t) =>
      (translation.deepl && "DeepL") ?? translation.libreTranslate?.endpoint ?? t("staff.off"),
  ],
];

const FEDERATION: Variable[] = [
  [
    "LIMITED_FEDERATION_MODE",
    "staff.environment.limited",
    ({ access }, t) => isOn(t, access.limitedFederation),
  ],
  [
    "AUTHORIZED_FETCH",
    "staff.environment.signed",
    ({ access }, t) => isOn(t, access.signedFetches),
  ],
];

const PRIVACY: Variable[] = [
  [
    "DISALLOW_UNAUTHENTICATED_API_ACCESS",
    "staff.environment.closed",
    ({ access }, t) => isOn(t, access.closed),
  ],
  [
    "NOTIFICATION_RETENTION_DAYS",
    "staff.environment.notifications",
    ({ retention }, t) => days(t, retention.notificationDays),
  ],
  [
    "REMOTE_STATUS_RETENTION_DAYS",
    "staff.environment.posts",
    ({ retention }, t) => days(t, retention.remoteStatusDays),
  ],
  [
    "MEDIA_CACHE_GB",
    "staff.environment.media",
    ({ media }) => `${media.cacheBytes / 1024 ** 3} GB`,
  ],
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
  "sign-in",
  "posts",
  "discovery",
  "federation",
  "privacy",
  "mail",
  "terms",
  "texts",
] as const;
