// Defines what the routes for moderators share: scopes, paths, pages.

import { Type } from "../../../platform/http/schema.ts";
import { user } from "../../../platform/http/auth.ts";

/** Requires a user's token with the scope or the one above it; acts.ts checks what the role allows. */
export const adminAccess = (right: "read" | "write", what?: string) =>
  what === undefined ? user(`admin:${right}`) : user(`admin:${right}`, `admin:${right}:${what}`);

export const IdParams = Type.Object({ id: Type.String() });

export const pageParameters = {
  max_id: Type.Optional(Type.Unknown()),
  since_id: Type.Optional(Type.Unknown()),
  min_id: Type.Optional(Type.Unknown()),
  limit: Type.Optional(Type.Unknown()),
};
