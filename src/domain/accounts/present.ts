// Account views → the JSON entities. https://docs.joinmastodon.org/entities/Account/

import type { FullConfig } from "../../platform/config/config.ts";
import { isoDate, isoMidnight } from "../../platform/ids/index.ts";
import type { AccountView, EmojiRow, RoleRow, UserSettings } from "./tables.ts";

type Site = FullConfig["site"];

/** `alice` for ours, `bob@there.example` for others. */
export const acct = (view: { username: string; domain: string | null }): string =>
  view.domain === null ? view.username : `${view.username}@${view.domain}`;

export const emojiEntity = (emoji: EmojiRow) => ({
  shortcode: emoji.shortcode,
  url: emoji.url,
  static_url: emoji.static_url,
  visible_in_picker: false,
});

const isBot = (view: AccountView) => ["Service", "Application"].includes(view.actor_type);

const roleEntity = ({ id, name, color }: RoleRow) => ({ id, name, color });

/** A suspended account keeps its name and loses what it said of itself. */
const profile = (view: AccountView, site: Site) => {
  const hidden = view.suspended_at !== null;
  const avatar = (!hidden && view.avatar_url) || `${site.origin}/avatars/missing.png`;
  const header = (!hidden && view.header_url) || `${site.origin}/headers/missing.png`;
  return {
    display_name: hidden ? "" : view.display_name,
    note: hidden ? "" : view.note_html,
    avatar,
    avatar_static: avatar,
    avatar_description: hidden ? "" : view.avatar_description,
    header,
    header_static: header,
    header_description: hidden ? "" : view.header_description,
    emojis: hidden ? [] : view.emojis.map(emojiEntity),
    fields: hidden
      ? []
      : view.fields.map((field) => ({
          name: field.name,
          value: field.value_html,
          verified_at: field.verified_at,
        })),
  };
};

const counts = (view: AccountView) => ({
  followers_count: Number(view.followers_count),
  following_count: Number(view.following_count),
  statuses_count: Number(view.statuses_count),
  last_status_at: view.last_status_at && isoDate(view.last_status_at),
});

/** The Account entity; `moved` is one level deep. */
export const accountEntity = (view: AccountView, site: Site): Record<string, unknown> => ({
  id: view.id,
  username: view.username,
  acct: acct(view),
  url: view.url,
  uri: view.uri,
  ...profile(view, site),
  locked: view.locked,
  bot: isBot(view),
  group: view.actor_type === "Group",
  discoverable: view.discoverable,
  indexable: view.indexable,
  noindex: view.domain === null ? !view.indexable && view.discoverable === false : undefined,
  created_at: isoMidnight(view.created_at),
  ...counts(view),
  hide_collections: view.hide_collections,
  show_media: true,
  show_media_replies: true,
  show_featured: true,
  feature_approval: { automatic: [], manual: [], current_user: "denied" },
  roles: view.role?.highlighted ? [roleEntity(view.role)] : [],
  ...(view.moved_to && { moved: accountEntity(view.moved_to, site) }),
  ...(view.memorial && { memorial: true }),
  ...(view.suspended_at && { suspended: true }),
  ...(view.silenced_at && { limited: true }),
});

/** JSON is made once for what was read, as bytes, and goes with it. */
const accountBytes = new WeakMap<AccountView, Buffer>();

/** The entity as JSON bytes. */
export const accountJson = (view: AccountView, site: Site): Buffer => {
  const present = accountBytes.get(view);
  if (present) return present;
  const made = Buffer.from(JSON.stringify(accountEntity(view, site)));
  accountBytes.set(view, made);
  return made;
};

/** How widely the person posts when they say nothing. */
export const defaultPrivacy = (view: AccountView, settings: UserSettings) =>
  settings.privacy ?? (view.locked ? "private" : "public");

export type Source = { settings: UserSettings; followRequests: number };

/** The account as its own person sees it. https://docs.joinmastodon.org/entities/Account/#CredentialAccount */
export const credentialAccountEntity = (view: AccountView, source: Source, site: Site) => ({
  ...accountEntity(view, site),
  source: {
    attribution_domains: view.attribution_domains,
    note: view.note,
    fields: view.fields.map(({ name, value, verified_at }) => ({ name, value, verified_at })),
    privacy: defaultPrivacy(view, source.settings),
    sensitive: source.settings.sensitive ?? false,
    language: source.settings.language ?? null,
    follow_requests_count: source.followRequests,
    hide_collections: view.hide_collections,
    discoverable: view.discoverable,
    indexable: view.indexable,
    quote_policy: source.settings.quote_policy ?? "nobody",
  },
  role: { ...(view.role ?? EVERYONE), collection_limit: 10 },
});

/** The role of people without one. */
const EVERYONE: RoleRow = {
  id: "-99",
  name: "",
  color: "",
  permissions: "65536",
  highlighted: false,
};

/** https://docs.joinmastodon.org/entities/Preferences/ */
export const preferencesEntity = (view: AccountView, settings: UserSettings, locale: string) => ({
  "posting:default:visibility": defaultPrivacy(view, settings),
  "posting:default:sensitive": settings.sensitive ?? false,
  "posting:default:language": settings.language ?? locale,
  "posting:default:quote_policy": settings.quote_policy ?? "nobody",
  "reading:expand:media": "default",
  "reading:expand:spoilers": false,
  "reading:autoplay:gifs": false,
});
