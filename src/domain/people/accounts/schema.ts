// Declares the parameters of the routes of accounts.

import { Type } from "../../../platform/http/schema.ts";
import type { Static, TSchema } from "../../../platform/http/schema.ts";
import { CONTENT_TYPES } from "../../../platform/text/written.ts";
import { REPLY_POLICIES } from "./tables.ts";

const nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

export const SeveralQuery = Type.Object({
  id: Type.Optional(Type.Array(Type.String(), { maxItems: 40 })),
});

export const LookupQuery = Type.Object({ acct: Type.Optional(Type.String({ maxLength: 2048 })) });

export const SearchQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 2048 })),
  limit: Type.Optional(Type.Unknown()),
  offset: Type.Optional(Type.Unknown()),
  resolve: Type.Optional(Type.Boolean()),
  following: Type.Optional(Type.Boolean()),
});

const Field = Type.Object({ name: nullable(Type.String()), value: nullable(Type.String()) });

/** Visibilities as apps know them. */
export const PRIVACIES = ["public", "unlisted", "private", "direct"] as const;
const QUOTE_POLICIES = ["public", "followers", "nobody"] as const;
const EXPAND_MEDIA = ["default", "show_all", "hide_all"] as const;

const Languages = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 });

const Source = Type.Object({
  privacy: Type.Optional(Type.Enum([...PRIVACIES])),
  sensitive: nullable(Type.Boolean()),
  language: nullable(Type.String({ maxLength: 100 })),
  quote_policy: Type.Optional(Type.Enum([...QUOTE_POLICIES])),
  // These are extensions: Mastodon has most of them on a settings page alone.
  reply_policy: Type.Optional(Type.Enum([...REPLY_POLICIES])),
  content_type: Type.Optional(Type.Enum([...CONTENT_TYPES])),
  expand_media: Type.Optional(Type.Enum([...EXPAND_MEDIA])),
  expand_spoilers: nullable(Type.Boolean()),
  autoplay_gifs: nullable(Type.Boolean()),
  chosen_languages: nullable(Languages),
  languages_by_locale: nullable(Type.Boolean()),
  quiet_from: nullable(Type.String({ maxLength: 100 })),
  quiet_until: nullable(Type.String({ maxLength: 100 })),
  time_zone: nullable(Type.String({ maxLength: 100 })),
  locale: nullable(Type.String({ maxLength: 100 })),
});

export type SourceInput = Static<typeof Source>;

/** Declares the body of https://docs.joinmastodon.org/methods/accounts/#update_credentials */
export const ProfileBody = Type.Object({
  display_name: nullable(Type.String()),
  note: nullable(Type.String()),
  avatar: Type.Optional(Type.Unknown()),
  header: Type.Optional(Type.Unknown()),
  avatar_description: nullable(Type.String({ maxLength: 150 })),
  header_description: nullable(Type.String({ maxLength: 150 })),
  locked: nullable(Type.Boolean()),
  bot: nullable(Type.Boolean()),
  discoverable: nullable(Type.Boolean()),
  indexable: nullable(Type.Boolean()),
  hide_collections: nullable(Type.Boolean()),
  show_media: nullable(Type.Boolean()),
  show_media_replies: nullable(Type.Boolean()),
  show_featured: nullable(Type.Boolean()),
  attribution_domains: nullable(Type.Array(Type.String({ maxLength: 1000 }))),
  fields_attributes: nullable(Type.Array(Field)),
  source: nullable(Source),
});

export type ProfileInput = Static<typeof ProfileBody>;

/** Maps the names in GET /api/v1/preferences to those in `source`. */
const PREFERENCES = {
  "posting:default:visibility": "privacy",
  "posting:default:sensitive": "sensitive",
  "posting:default:language": "language",
  "posting:default:quote_policy": "quote_policy",
  "posting:default:reply_policy": "reply_policy",
  "posting:default:content_type": "content_type",
  "reading:expand:media": "expand_media",
  "reading:expand:spoilers": "expand_spoilers",
  "reading:autoplay:gifs": "autoplay_gifs",
  "reading:languages": "chosen_languages",
  "reading:languages:by_locale": "languages_by_locale",
  "notifying:quiet_from": "quiet_from",
  "notifying:quiet_until": "quiet_until",
  time_zone: "time_zone",
  locale: "locale",
} as const;

const pairs = Object.entries(PREFERENCES);

/** Declares an extension that changes what GET /api/v1/preferences shows, by the same names. */
export const PreferencesBody = Type.Object(
  Object.fromEntries(pairs.map(([name, member]) => [name, Source.properties[member]])),
);

export const sourceOf = (body: Record<string, unknown>): SourceInput =>
  Object.fromEntries(
    pairs.filter(([name]) => name in body).map(([name, member]) => [member, body[name]]),
  );
