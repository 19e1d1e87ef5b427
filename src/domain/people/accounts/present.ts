// Presents account views as JSON entities. https://docs.joinmastodon.org/entities/Account/ Their pictures are stored
// here, or fetched from their server when somebody looks.

import { policyLists, featurePolicy, featureRight } from "./policies.ts";
import type { Standing } from "./policies.ts";
import type { FullConfig } from "../../../platform/config/config.ts";
import { ownBytes } from "../../../platform/http/json-bytes.ts";
import { isoDate, isoMidnight } from "../../../platform/ids/index.ts";
import { shownHost } from "../../../platform/text/hosts.ts";
import { PLAIN } from "../../../platform/text/written.ts";
import { emojiEntity } from "../../base/emojis/present.ts";
import { mayOneOf } from "../../base/roles/permissions.ts";
import { roleEntity } from "../../base/roles/roles.ts";
import type { RoleRow } from "../../base/roles/tables.ts";
import type { AccountField, AccountView, OwnPart, UserSettings } from "./tables.ts";
import { fileUrl } from "../../../platform/storage/index.ts";
import { remoteFileUrl } from "../../../platform/storage/remote-url.ts";

type Site = FullConfig["site"];

const isWeb = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

/**
 * Guesses by the name, since only these types move in all browsers. Whether a picture moves is known after it is
 * fetched.
 */
const mayMove = (url: string): boolean => /\.(?:gif|webp)(?:$|[?#])/i.test(url);

/** Returns null where the account has none. */
export const avatarOf = ({ id, avatar_key, avatar_url: url }: AccountView, site: Site) => {
  if (avatar_key) return fileUrl(site, avatar_key);
  return isWeb(url) ? remoteFileUrl(site, "avatars", id, url) : null;
};

/** Returns an avatar that does not move. */
const stillAvatarOf = (view: AccountView, site: Site): string | null => {
  const { id, avatar_key, avatar_static_key, avatar_url: url } = view;
  if (avatar_static_key) return fileUrl(site, avatar_static_key);
  if (avatar_key || !isWeb(url) || !mayMove(url)) return avatarOf(view, site);
  return remoteFileUrl(site, "still_avatars", id, url);
};

/** Returns a still avatar of the size that lists show; null where there is none. */
const smallAvatarOf = (view: AccountView, site: Site): string | null => {
  const { id, avatar_key, avatar_small_key, avatar_url: url } = view;
  if (avatar_small_key) return fileUrl(site, avatar_small_key);
  return avatar_key || !isWeb(url) ? null : remoteFileUrl(site, "small_avatars", id, url);
};

const headerOf = ({ id, header_key, header_url: url }: AccountView, site: Site) => {
  if (header_key) return fileUrl(site, header_key);
  return isWeb(url) ? remoteFileUrl(site, "headers", id, url) : null;
};

const stillHeaderOf = (view: AccountView, site: Site): string | null => {
  const { id, header_key, header_static_key, header_url: url } = view;
  if (header_static_key) return fileUrl(site, header_static_key);
  if (header_key || !isWeb(url) || !mayMove(url)) return headerOf(view, site);
  return remoteFileUrl(site, "still_headers", id, url);
};

type Named = { username: string; domain: string | null };

/** Returns a temporary name for an account whose handle belongs to another, until a handle of its own is confirmed. */
export const formerName = (id: string): string => `former-${id}`;

/** Returns `alice` for a local account, `bob@remote.example` for a remote one, in ASCII as in addresses. */
export const asciiAcct = ({ username, domain }: Named): string =>
  domain === null ? username : `${username}@${domain}`;

/** Returns the handle for people, and for the API in Mastodon's form: `zoe@münchen.example`. */
export const acct = ({ username, domain }: Named): string =>
  asciiAcct({ username, domain: domain && shownHost(domain) });

const isBot = (view: AccountView) => ["Service", "Application"].includes(view.actor_type);

const roleBadge = ({ id, name, color }: RoleRow) => ({ id, name, color });

const fieldEntity = (field: AccountField) => ({
  name: field.name,
  value: field.value_html,
  verified_at: field.verified_at,
});

/** A suspended account keeps its name; the rest of its profile is empty. */
const profile = (view: AccountView, site: Site) => {
  const hidden = view.suspended_at !== null;
  const noAvatar = `${site.origin}/avatars/missing.png`;
  const noHeader = `${site.origin}/headers/missing.png`;
  return {
    display_name: hidden ? "" : view.display_name,
    note: hidden ? "" : view.note_html,
    avatar: (!hidden && avatarOf(view, site)) || noAvatar,
    avatar_static: (!hidden && stillAvatarOf(view, site)) || noAvatar,
    avatar_small: (!hidden && smallAvatarOf(view, site)) || undefined,
    avatar_description: hidden ? "" : view.avatar_description,
    header: (!hidden && headerOf(view, site)) || noHeader,
    header_static: (!hidden && stillHeaderOf(view, site)) || noHeader,
    header_description: hidden ? "" : view.header_description,
    emojis: hidden ? [] : view.emojis.map(emojiEntity),
    fields: hidden ? [] : view.fields.map(fieldEntity),
  };
};

const counts = (view: AccountView) => ({
  followers_count: Number(view.followers_count),
  following_count: Number(view.following_count),
  statuses_count: Number(view.statuses_count),
  last_status_at: view.last_status_at && isoDate(view.last_status_at),
});

const shown = ({ show_media, show_media_replies, show_featured }: AccountView) => ({
  show_media,
  show_media_replies,
  show_featured,
});

/**
 * Returns who may put the account into collections, and whether the viewer may, as a stranger where there is no viewer.
 */
const featureApproval = (view: AccountView, standing?: Standing) => ({
  ...policyLists(featurePolicy(view) ?? 0),
  current_user: featureRight(view, standing),
});

/** Makes the entity for somebody who looks at this account, and not only at its posts. */
export const accountEntityFor = (view: AccountView, site: Site, standing?: Standing) => ({
  ...accountEntity(view, site),
  ...(standing && { feature_approval: featureApproval(view, standing) }),
});

export const mayHaveSubscribers = ({ role }: AccountView): boolean =>
  mayOneOf(role?.permissions ?? 0, ["manage_email_subscriptions"]);

/** Returns whether visitors may get the posts by mail: the role allows it, and the author, who is active, does. */
export const takesSubscribers = (view: AccountView): boolean =>
  view.email_subscriptions &&
  mayHaveSubscribers(view) &&
  !(view.suspended_at ?? view.moved_to ?? view.memorial);

/** Makes the Account entity; `moved` is one level deep. */
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
  ...shown(view),
  feature_approval: featureApproval(view),
  roles: view.role?.highlighted ? [roleBadge(view.role)] : [],
  ...(view.moved_to && { moved: accountEntity(view.moved_to, site) }),
  ...(view.memorial && { memorial: true }),
  ...(view.username === formerName(view.id) && { invalid_handle: true }),
  ...(view.suspended_at && { suspended: true }),
  ...(view.silenced_at && { limited: true }),
  ...(takesSubscribers(view) && { email_subscriptions: true }),
});

/** Makes the entity that a list of avatars needs. https://docs.joinmastodon.org/methods/grouped_notifications/ */
export const partialAccountEntity = (view: AccountView, site: Site) => {
  const { avatar, avatar_static, avatar_description } = profile(view, site);
  const { id, url, locked } = view;
  const bot = isBot(view);
  return { id, acct: acct(view), url, avatar, avatar_static, avatar_description, locked, bot };
};

/** Caches the JSON of a view as long as the view lives. */
const accountBytes = new WeakMap<AccountView, Buffer>();

export const accountJson = (view: AccountView, site: Site): Buffer => {
  const present = accountBytes.get(view);
  if (present) return present;
  const bytes = ownBytes(JSON.stringify(accountEntity(view, site)));
  accountBytes.set(view, bytes);
  return bytes;
};

/** Returns the visibility of a post that names none. */
export const defaultPrivacy = (view: AccountView, settings: UserSettings) =>
  settings.privacy ?? (view.locked ? "private" : "public");

type QuotePolicy = NonNullable<UserSettings["quote_policy"]>;

export type Source = OwnPart & { quotePolicy: QuotePolicy };

/** Lists reading preferences, which Mastodon has on a settings page alone. */
const readingChoices = (settings: UserSettings) => ({
  expand_media: settings.expand_media ?? "default",
  expand_spoilers: settings.expand_spoilers ?? false,
  autoplay_gifs: settings.autoplay_gifs ?? false,
  chosen_languages: settings.chosen_languages ?? null,
  languages_by_locale: settings.languages_by_locale ?? null,
});

const sourceFields = (view: AccountView) =>
  view.fields.map(({ name, value, verified_at }) => ({ name, value, verified_at }));

/** Makes the entity for the account's own user. https://docs.joinmastodon.org/entities/Account/#CredentialAccount */
const credentialAccountEntity = (view: AccountView, source: Source, site: Site) => ({
  ...accountEntity(view, site),
  source: {
    attribution_domains: view.attribution_domains,
    note: view.note,
    fields: sourceFields(view),
    privacy: defaultPrivacy(view, source.settings),
    sensitive: source.settings.sensitive ?? false,
    language: source.settings.language ?? null,
    follow_requests_count: source.followRequests,
    hide_collections: view.hide_collections,
    discoverable: view.discoverable,
    indexable: view.indexable,
    quote_policy: source.quotePolicy,
    reply_policy: source.settings.reply_policy ?? "public",
    content_type: source.settings.content_type ?? PLAIN,
    ...readingChoices(source.settings),
    time_zone: source.timeZone,
  },
  role: roleEntity(view.role ?? EVERYONE),
});

/** Caches the JSON of one's own account as long as its parts live. */
const credentialBytes = new WeakMap<
  OwnPart,
  { view: AccountView; quotePolicy: QuotePolicy; bytes: Buffer }
>();

/** Returns the entity as JSON bytes. */
export const credentialAccountJson = (
  view: AccountView,
  own: OwnPart,
  quotePolicy: QuotePolicy,
  site: Site,
): Buffer => {
  const present = credentialBytes.get(own);
  if (present?.view === view && present.quotePolicy === quotePolicy) return present.bytes;
  const entity = credentialAccountEntity(view, { ...own, quotePolicy }, site);
  const bytes = ownBytes(JSON.stringify(entity));
  credentialBytes.set(own, { view, quotePolicy, bytes });
  return bytes;
};

/** The role of users without one. */
const EVERYONE: RoleRow = {
  id: "-99",
  name: "",
  color: "",
  permissions: "65536",
  highlighted: false,
  position: -1,
  max_characters: null,
};

type Chosen = {
  settings: UserSettings;
  quotePolicy: QuotePolicy;
  timeZone: string | null;
  locale: string;
};

/**
 * Makes the entity of https://docs.joinmastodon.org/entities/Preferences/, with languages, time zone and locale added.
 */
export const preferencesEntity = (view: AccountView, chosen: Chosen) => {
  const { settings, quotePolicy, timeZone, locale } = chosen;
  const reading = readingChoices(settings);
  return {
    "posting:default:visibility": defaultPrivacy(view, settings),
    "posting:default:sensitive": settings.sensitive ?? false,
    "posting:default:language": settings.language ?? locale,
    "posting:default:quote_policy": quotePolicy,
    "posting:default:reply_policy": settings.reply_policy ?? "public",
    "posting:default:content_type": settings.content_type ?? PLAIN,
    "reading:expand:media": reading.expand_media,
    "reading:expand:spoilers": reading.expand_spoilers,
    "reading:autoplay:gifs": reading.autoplay_gifs,
    "reading:languages": reading.chosen_languages,
    "reading:languages:by_locale": reading.languages_by_locale,
    "notifying:quiet_from": settings.quiet_from ?? null,
    "notifying:quiet_until": settings.quiet_until ?? null,
    time_zone: timeZone,
    locale,
  };
};

/**
 * Makes the profile for its own user to edit, with the FeaturedTag entities of a higher slice.
 * https://docs.joinmastodon.org/entities/Profile/
 */
export const profileEntity = (view: AccountView, featuredTags: object[], site: Site) => ({
  id: view.id,
  display_name: view.display_name,
  note: view.note,
  formatted_note: view.note_html,
  fields: sourceFields(view),
  formatted_fields: view.fields.map(fieldEntity),
  avatar: avatarOf(view, site),
  avatar_static: stillAvatarOf(view, site),
  avatar_description: view.avatar_description,
  header: headerOf(view, site),
  header_static: stillHeaderOf(view, site),
  header_description: view.header_description,
  locked: view.locked,
  bot: isBot(view),
  hide_collections: view.hide_collections,
  discoverable: view.discoverable,
  indexable: view.indexable,
  ...shown(view),
  attribution_domains: view.attribution_domains,
  featured_tags: featuredTags,
});
