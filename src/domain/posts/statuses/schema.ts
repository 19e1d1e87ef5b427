// Declares the parameters of the routes of statuses (TypeBox).

import { PageQuery, Type } from "../../../platform/http/schema.ts";
import type { TSchema } from "../../../platform/http/schema.ts";
import { CONTENT_TYPES } from "../../../platform/text/written.ts";
import { REPLY_POLICIES } from "../../people/accounts/tables.ts";
import { QUOTE_POLICIES } from "./rules.ts";
import { VISIBILITIES } from "./visibility.ts";

const nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

export const DeleteQuery = Type.Object({ delete_media: nullable(Type.Boolean()) });

const PollBody = Type.Object({
  options: nullable(Type.Array(Type.String(), { maxItems: 100 })),
  expires_in: nullable(Type.Integer()),
  multiple: nullable(Type.Boolean()),
  hide_totals: nullable(Type.Boolean()),
});

const EventBody = Type.Object({
  name: nullable(Type.String()),
  starts_at: nullable(Type.String()),
  ends_at: nullable(Type.String()),
  place: nullable(Type.String()),
});

const END = { expires_in: nullable(Type.Integer()), expires_at: nullable(Type.String()) };

const Groups = nullable(Type.Array(Type.String({ maxLength: 2048 }), { maxItems: 100 }));
/** Reads `with_approval` and its newer name; groups named there may not act, because nobody is asked here. */
const Rule = nullable(
  Type.Object(
    {
      always: Groups,
      automatic_approval: Groups,
      with_approval: Groups,
      manual_approval: Groups,
    },
    { additionalProperties: false },
  ),
);

/** Strict, since other booleans take "no" for true, and the post would reach more people than meant. */
const Flag = nullable(Type.Boolean({ "x-strict": true }));

/** Parameters of where the post goes. */
const REACH = { local_only: Flag, federated: Flag };

/** Values of `audience` for a post that is written again, which `visibility` has for a new one. */
const AUDIENCES = ["local", "local_followers", "circle"] as const;

/** Parameters of other software about who sees a post and may act on it (audience.ts). */
export const AUDIENCE = {
  ...REACH,
  interaction_policy: nullable(
    Type.Object(
      { can_reply: Rule, can_quote: Rule, can_favourite: Rule, can_reblog: Rule },
      { additionalProperties: false },
    ),
  ),
  audience: nullable(Type.Enum([...AUDIENCES])),
  circle: Flag,
  replyable: Flag,
  boostable: Flag,
  likeable: Flag,
  comments_disabled: Flag,
  preview: Flag,
  to: Type.Optional(Type.Unknown()),
  circle_id: Type.Optional(Type.Unknown()),
  searchability: Type.Optional(Type.Unknown()),
};

export const ReachBody = Type.Object(REACH);
export const AudienceBody = Type.Object(AUDIENCE);

/** Parameters of this server and Mastodon about who sees a post and may act on it. */
const OWN_AUDIENCE = {
  visibility: Type.Optional(Type.Enum([...VISIBILITIES])),
  allowed_mentions: nullable(Type.Array(Type.String(), { maxItems: 1000 })),
  quote_approval_policy: nullable(Type.Enum([...QUOTE_POLICIES])),
  reply_approval_policy: nullable(Type.Enum([...REPLY_POLICIES])),
  list_ids: nullable(Type.Array(Type.String())),
};

const STATUS = {
  ...END,
  status: nullable(Type.String()),
  content_type: nullable(Type.Enum([...CONTENT_TYPES])),
  spoiler_text: nullable(Type.String()),
  sensitive: nullable(Type.Boolean()),
  language: nullable(Type.String({ maxLength: 100 })),
  in_reply_to_id: nullable(Type.String()),
  media_ids: nullable(Type.Array(Type.String())),
  poll: nullable(PollBody),
  event: nullable(EventBody),
  quoted_status_id: nullable(Type.String()),
  ...OWN_AUDIENCE,
  ...AUDIENCE,
};

/** `quote_id` is the name that Fedibird, Akkoma and Sharkey have for `quoted_status_id`, which takes precedence. */
export const NewStatusBody = Type.Object({
  ...STATUS,
  quote_id: nullable(Type.String()),
  scheduled_at: nullable(Type.String()),
});

/** Posts of a thread. */
export const MAX_STATUSES = 20;

const REFUSED = { description: "Refused: each of the statuses says it for itself." };

/** These would apply to none of the posts in a list; they are read only to be refused. */
export const BESIDE_STATUSES = Object.fromEntries(
  Object.keys({ ...OWN_AUDIENCE, ...AUDIENCE }).map((name) => [
    name,
    Type.Optional(Type.Unknown(REFUSED)),
  ]),
);

/** Posts in their order, as in drafts. */
export const StatusesBody = {
  ...(BESIDE_STATUSES as object),
  statuses: nullable(Type.Array(Type.Object(STATUS), { maxItems: MAX_STATUSES })),
  scheduled_at: nullable(Type.String()),
};

export const PreviewBody = Type.Object({
  status: nullable(Type.String()),
  content_type: nullable(Type.Enum([...CONTENT_TYPES])),
});
export const ThreadBody = Type.Object(StatusesBody);

const MediaAttributes = Type.Object({
  id: Type.String(),
  thumbnail: Type.Optional(Type.Unknown()),
  description: nullable(Type.String()),
  focus: nullable(Type.String()),
});

export const PolicyBody = Type.Object({
  quote_approval_policy: nullable(Type.Enum([...QUOTE_POLICIES])),
  reply_approval_policy: nullable(Type.Enum([...REPLY_POLICIES])),
});

/** Also reads what an edit cannot change, to refuse it. */
export const EditBody = Type.Object({
  ...END,
  ...OWN_AUDIENCE,
  ...AUDIENCE,
  status: nullable(Type.String()),
  content_type: nullable(Type.Enum([...CONTENT_TYPES])),
  spoiler_text: nullable(Type.String()),
  sensitive: nullable(Type.Boolean()),
  language: nullable(Type.String({ maxLength: 100 })),
  media_ids: nullable(Type.Array(Type.String())),
  media_attributes: nullable(Type.Array(MediaAttributes, { maxItems: 20 })),
  poll: nullable(PollBody),
  event: nullable(EventBody),
});

export const AnswerBody = Type.Object({ answer: nullable(Type.String()) });

export const AnswersQuery = Type.Object({
  ...PageQuery.properties,
  answer: Type.Optional(Type.Unknown()),
});

export const ReblogBody = Type.Object({
  ...ReachBody.properties,
  visibility: Type.Optional(Type.Enum(["public", "unlisted", "private"])),
  scheduled_at: nullable(Type.String()),
});

/** `limit` is the number of whole posts above and below; further ones come as references that place them. */
export const ContextQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
});

export const SeveralQuery = Type.Object({
  id: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })),
});

export const TimeBody = Type.Object({
  scheduled_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
