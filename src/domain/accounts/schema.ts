// TypeBox: what the routes of accounts take.

import { Type } from "../../platform/http/schema.ts";
import type { Static, TSchema } from "../../platform/http/schema.ts";

const nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

export const IdParams = Type.Object({ id: Type.String() });

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

const Source = Type.Object({
  privacy: Type.Optional(Type.Enum(["public", "unlisted", "private", "direct"])),
  sensitive: nullable(Type.Boolean()),
  language: nullable(Type.String({ maxLength: 100 })),
  quote_policy: Type.Optional(Type.Enum(["public", "followers", "nobody"])),
});

/** https://docs.joinmastodon.org/methods/accounts/#update_credentials */
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
  attribution_domains: nullable(Type.Array(Type.String({ maxLength: 1000 }))),
  fields_attributes: nullable(Type.Array(Field)),
  source: nullable(Source),
});

export type ProfileInput = Static<typeof ProfileBody>;
