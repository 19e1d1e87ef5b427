// Declares the parameters of the routes of filters.

import { Type } from "../../../platform/http/schema.ts";
import type { TSchema } from "../../../platform/http/schema.ts";
import { ACTIONS } from "./tables.ts";

const nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

const MOST_AT_ONCE = 1000;

export const FilterIdParams = Type.Object({ filter_id: Type.String() });

const KeywordAttributes = Type.Object({
  id: nullable(Type.String()),
  keyword: nullable(Type.String()),
  whole_word: nullable(Type.Boolean()),
  wildcards: nullable(Type.Boolean()),
  _destroy: nullable(Type.Boolean()),
});

export const FilterBody = Type.Object({
  title: nullable(Type.String()),
  context: nullable(Type.Array(Type.String(), { maxItems: MOST_AT_ONCE })),
  filter_action: Type.Optional(Type.Enum([...ACTIONS])),
  expires_in: nullable(Type.Integer()),
  keywords_attributes: nullable(Type.Array(KeywordAttributes, { maxItems: MOST_AT_ONCE })),
});

export const KeywordBody = Type.Object({
  keyword: nullable(Type.String()),
  whole_word: nullable(Type.Boolean()),
  wildcards: nullable(Type.Boolean()),
});

export const FilterStatusBody = Type.Object({ status_id: nullable(Type.String()) });

export const OlderFilterBody = Type.Object({
  phrase: nullable(Type.String()),
  context: nullable(Type.Array(Type.String(), { maxItems: MOST_AT_ONCE })),
  irreversible: nullable(Type.Boolean()),
  whole_word: nullable(Type.Boolean()),
  expires_in: nullable(Type.Integer()),
});
