// Lists everything that is answered from a cache or a feed, as each of the people and nobody sees it.

import type { Person } from "../harness.ts";
import type { World } from "./world.ts";

const OF_EVERYBODY = [
  "/api/v1/timelines/public?limit=40",
  "/api/v1/timelines/public?limit=40&local=true",
  "/api/v1/timelines/public?limit=40&remote=true",
  "/api/v1/timelines/tag/red?limit=40",
  "/api/v1/timelines/tag/blue?limit=40&local=true",
];

const OF_A_PERSON = [
  "/api/v1/timelines/home?limit=40",
  "/api/v1/notifications?limit=40",
  "/api/v2/notifications?limit=40",
  "/api/v2/notifications/policy",
  "/api/v1/conversations",
  "/api/v1/favourites",
  "/api/v1/bookmarks",
  "/api/v2/filters",
  "/api/v1/lists",
  "/api/v1/follow_requests",
  "/api/v1/blocks",
  "/api/v1/mutes",
  "/api/v1/domain_blocks",
  "/api/v1/followed_tags",
  "/api/v1/accounts/verify_credentials",
];

const ACCOUNT_VARIANTS = [
  "?limit=40",
  "?limit=40&exclude_replies=true",
  "?limit=40&exclude_reblogs=true",
  "?pinned=true",
  "?tagged=red",
];

const STATUS_PARTS = [
  "",
  "",
  "/context",
  "/context",
  "/favourited_by",
  "/reblogged_by",
  "/history",
];

/** Number of statuses that each of the viewers looks at. */
const LOOKS = 8;

const ofAccounts = (world: World): string[] =>
  world.accounts.flatMap((id) => [
    `/api/v1/accounts/${id}`,
    `/api/v1/accounts/${id}/statuses${world.pick(ACCOUNT_VARIANTS)}`,
    ...(world.chance(0.2)
      ? [`/api/v1/accounts/${id}/followers`, `/api/v1/accounts/${id}/following`]
      : []),
  ]);

const ofStatuses = (world: World): string[] =>
  Array.from({ length: world.statuses.length > 0 ? LOOKS : 0 }, () => {
    // Most are among the newest.
    const among = world.chance(0.7) ? world.statuses.slice(-15) : world.statuses;
    return `/api/v1/statuses/${world.pick(among).id}${world.pick(STATUS_PARTS)}`;
  });

const ofPerson = (world: World, { accountId }: Person): string[] => [
  ...OF_A_PERSON,
  `/api/v1/accounts/relationships?${world.accounts.map((id) => `id[]=${id}`).join("&")}`,
  ...world.lists
    .filter(({ by }) => by.accountId === accountId)
    .map(({ id }) => `/api/v1/timelines/list/${id}?limit=40`),
];

/** Returns the paths that this viewer (null for nobody) reads now. */
export const pathsFor = (world: World, viewer: Person | null): string[] => [
  ...(viewer ? ofPerson(world, viewer) : []),
  ...OF_EVERYBODY,
  ...ofAccounts(world),
  ...ofStatuses(world),
];
