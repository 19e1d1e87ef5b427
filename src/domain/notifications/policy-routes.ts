// The policy of notifications: everything is accepted, so no requests wait. It cannot be changed yet: those
// routes are missing rather than without effect.
// https://docs.joinmastodon.org/methods/notifications/#get-policy

import { NotFound } from "../../platform/errors.ts";
import { user } from "../../platform/http/auth.ts";
import type { Server } from "../../platform/http/server.ts";

const summary = { pending_requests_count: 0, pending_notifications_count: 0 };

const POLICY_V1 = {
  filter_not_following: false,
  filter_not_followers: false,
  filter_new_accounts: false,
  filter_private_mentions: false,
  filter_bots: false,
  summary,
};

const POLICY_V2 = {
  for_not_following: "accept",
  for_not_followers: "accept",
  for_new_accounts: "accept",
  for_private_mentions: "accept",
  for_limited_accounts: "accept",
  for_bots: "accept",
  summary,
};

export const policyRoutes = (server: Server): void => {
  const config = user("read:notifications");
  server.get("/api/v1/notifications/policy", { config }, async () => POLICY_V1);
  server.get("/api/v2/notifications/policy", { config }, async () => POLICY_V2);
  server.get("/api/v1/notifications/requests", { config }, async () => []);
  server.get("/api/v1/notifications/requests/merged", { config }, async () => ({ merged: true }));
  server.get("/api/v1/notifications/requests/:id", { config }, async () => {
    throw new NotFound();
  });
};
