// Declares the parameters of the routes of relationships.

import { Type } from "../../../platform/http/schema.ts";
import type { TSchema } from "../../../platform/http/schema.ts";

const nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

export const AccountIdParams = Type.Object({ account_id: Type.String() });

export const RelationshipsQuery = Type.Object({
  id: Type.Optional(Type.Array(Type.String())),
  with_suspended: Type.Optional(Type.Boolean()),
});

export const SeveralQuery = Type.Object({ id: Type.Optional(Type.Array(Type.String())) });

export const NoteBody = Type.Object({ comment: nullable(Type.String()) });

export const FollowsBody = Type.Object({
  uri: Type.Optional(Type.String({ maxLength: 2048 })),
  reblogs: nullable(Type.Boolean()),
});

export const FollowBody = Type.Object({
  reblogs: nullable(Type.Boolean()),
  replies: nullable(Type.Boolean()),
  daily_limit: nullable(Type.Integer()),
  notify: nullable(Type.Boolean()),
  languages: nullable(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 })),
});

export const DomainParams = Type.Object({ domain: nullable(Type.String()) });

export const MuteBody = Type.Object({
  notifications: nullable(Type.Boolean()),
  duration: nullable(Type.Integer()),
});
