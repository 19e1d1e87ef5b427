// Defines what the routes for moderators share: scopes, paths, pages.

import { user } from "../../../platform/http/auth.ts";

/** Requires a user's token with the scope or the one above it; acts.ts checks what the role allows. */
export const adminAccess = (right: "read" | "write", what?: string) =>
  what === undefined ? user(`admin:${right}`) : user(`admin:${right}`, `admin:${right}:${what}`);
