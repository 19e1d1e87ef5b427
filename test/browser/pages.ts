// The index of the pages of a village: for each page of the client, and those that the server draws itself, an address
// at which it has something to show.

import type { TestApp } from "../harness.ts";
import { listRoutes } from "../security/routes.ts";
import { makeVillage } from "./village.ts";
import type { Village } from "./village.ts";

/** Makes alice's group, with a post of bob's, another that waits, somebody who wants to join, and rules. */
const makeGroup = async (server: TestApp, { alice, bob, carol }: Village): Promise<string> => {
  const group = { name: "moss", rules: ["Be kind."] };
  const { id } = await alice.post("/api/v1/groups", group).ok();
  await bob.post(`/api/v1/accounts/${id}/follow`).ok();
  await bob.post("/api/v1/statuses", { status: "@moss which is this?" }).ok();
  await server.runJobs();
  await alice.patch(`/api/v1/groups/${id}`, { holds_posts: true, locked: true }).ok();
  await carol.post(`/api/v1/accounts/${id}/follow`).ok();
  await bob.post("/api/v1/statuses", { status: "@moss and this?" }).ok();
  await server.runJobs();
  return id;
};

/** Makes alice's event, which carol answered. */
const makeEvent = async ({ alice, carol }: Village): Promise<string> => {
  const event = { name: "Mill night", starts_at: "2040-05-01T18:00:00Z", place: "The mill" };
  const post = { event, visibility: "public" };
  const { id } = await alice.post("/api/v1/statuses", post).ok();
  await carol.post(`/api/v1/statuses/${id}/event/answer`, { answer: "yes" }).ok();
  return id;
};

const POST = "/@:acct/:id(\\d+)";

/** Returns the address at which each page of `pages.ts` has something to show. */
export const addresses = ({ ids }: Village): Record<string, string> => {
  const of = (name: string): string => `/@bob/${ids[name]}`;
  const own = (name: string): string => `/@alice/${ids[name]}`;
  return {
    "/": "/",
    "/home": "/home",
    "/tags/:name": "/tags/owls",
    "/public/local": "/public/local",
    "/public": "/public",
    "/bookmarks": "/bookmarks",
    "/favourites": "/favourites",
    "/notifications": "/notifications",
    "/notifications/:id(\\d+)": `/notifications/${ids["notification"]}`,
    "/offline": "/offline",
    [POST]: of("thread"),
    "/about": "/about",
    "/privacy-policy": "/privacy-policy",
    "/terms-of-service": "/terms-of-service",
    "/terms-of-service/:date": "/terms-of-service/2020-01-01",
    "/explore": "/explore",
    "/explore/tags": "/explore/tags",
    "/explore/links": "/explore/links",
    "/explore/people": "/explore/people",
    "/directory": "/directory",
    "/search": "/search?q=mill",
    "/collections/:id(\\d+)": `/collections/${ids["collection"]}`,
    "/interact/:id(\\d+)": `/interact/${ids["thread"]}`,
    "/interact": "/interact?acct=bob",
    [`${POST}/favourites`]: `${own("own")}/favourites`,
    [`${POST}/reblogs`]: `${own("own")}/reblogs`,
    [`${POST}/history`]: `${own("edited")}/history`,
    "/@:acct/featured": "/@alice/featured",
    "/@:acct/followers": "/@bob/followers",
    "/@:acct/following": "/@bob/following",
    "/authorize_interaction": "/authorize_interaction?uri=acct:bob",
    "/share": "/share?text=Look",
    "/lists": "/lists",
    "/lists/:id(\\d+)": `/lists/${ids["list"]}`,
    "/lists/:id(\\d+)/edit": `/lists/${ids["list"]}/edit`,
    "/groups": "/groups",
    "/groups/:id(\\d+)": `/groups/${ids["group"]}`,
    "/followed_tags": "/followed_tags",
    "/conversations": "/conversations",
    "/catch-up": "/catch-up",
    "/drafts": "/drafts",
    "/scheduled": "/scheduled",
    "/compose": "/compose",
    "/notifications/requests": "/notifications/requests",
    "/notifications/requests/:id(\\d+)": `/notifications/requests/${ids["request"]}`,
    "/notifications/settings": "/notifications/settings",
    "/notifications/clear": "/notifications/clear",
    "/follow_requests": "/follow_requests",
    [`${POST}/quotes`]: `${own("own")}/quotes`,
    [`${POST}/delete`]: `${own("own")}/delete`,
    [`${POST}/reply_policy`]: `${own("own")}/reply_policy`,
    [`${POST}/boost_later`]: `${own("own")}/boost_later`,
    [`${POST}/why`]: `${of("thread")}/why`,
    [`${POST}/circle`]: `${own("circle")}/circle`,
    [`${POST}/answers`]: `${own("event")}/answers`,
    [`${POST}/quote_policy`]: `${own("own")}/quote_policy`,
    [`${POST}/filter`]: `${of("thread")}/filter`,
    "/@:acct/unfollow": "/@bob/unfollow",
    "/@:acct/block": "/@bob/block",
    "/@:acct/remove": "/@bob/remove",
    "/@:acct/mute": "/@bob/mute",
    "/@:acct/note": "/@bob/note",
    "/@:acct/follow": "/@bob/follow",
    "/@:acct/block_domain": "/@wren@far.example/block_domain",
    "/@:acct/lists": "/@bob/lists",
    "/@:acct/report": `/@bob/report?status=${ids["thread"]}`,
    "/welcome": "/welcome",
    "/you": "/you",
    "/settings": "/settings",
    "/settings/accounts": "/settings/accounts",
    "/settings/profile": "/settings/profile",
    "/settings/preferences": "/settings/preferences",
    "/settings/filters": "/settings/filters",
    "/settings/filters/:id(\\d+)": `/settings/filters/${ids["filter"]}`,
    "/settings/mutes": "/settings/mutes",
    "/settings/blocks": "/settings/blocks",
    "/settings/domain_blocks": "/settings/domain_blocks",
    "/settings/muted_tags": "/settings/muted_tags",
    "/@:acct": "/@bob",
    "/@:acct/with_replies": "/@bob/with_replies",
    "/@:acct/media": "/@bob/media",
    "/@:acct/tagged/:tag": "/@bob/tagged/owls",
  };
};

const FRAMED = /^\/(?:settings|disputes|admin|developers)(?:\/|$)/;

/**
 * Returns pages that the server draws within the client's frame, or those `within` other addresses, by their routes, so
 * that new ones are included.
 */
export const framedPaths = async (
  { app }: TestApp,
  { ids }: Village,
  clients: readonly string[],
  within = FRAMED,
): Promise<string[]> => {
  const known = new Set(clients.map((path) => path.replaceAll(/\(.*?\)/g, "")));
  const routes = (await listRoutes(app)).filter(
    ({ method, url }) => method === "GET" && within.test(url) && !known.has(url),
  );
  return routes.map(({ url }) =>
    url
      .replace(":id", ids[url.split("/")[2]!] ?? "0")
      .replace(":domain", "spam.example")
      .replace(":group", "statuses")
      .replace(":name", "post_api_v1_statuses"),
  );
};

/** Posts with features that the others do not have. */
export const MORE_POSTS = [
  "warned",
  "poll",
  "several",
  "picture",
  "sensitive",
  "quote",
  "arabic",
  "direct",
];

export const VISITOR = [
  "/ /about /privacy-policy /@bob /@bob/followers /tags/owls /explore /explore/people /nothing-here",
  "/auth/sign_in /auth/sign_up /auth/password/new /auth/confirmation/new /offline /interact?acct=bob",
]
  .join(" ")
  .split(" ");

/** Makes a village in which each page has something to show. */
export const makeWholeVillage = async (server: TestApp): Promise<Village> => {
  const village = await makeVillage(server);
  const { alice, ids } = village;
  ids["group"] = await makeGroup(server, village);
  ids["event"] = await makeEvent(village);
  const circle = { status: "Among us", visibility: "circle", list_ids: [ids["list"]] };
  await server.fixture(async (sql) => {
    await sql`
      INSERT INTO accounts (id, username, domain, uri, url)
      VALUES (7, 'wren', 'far.example', 'https://far.example/wren', 'https://far.example/@wren')
    `;
  });
  ids["circle"] = (await alice.post("/api/v1/statuses", circle).ok()).id;
  return village;
};
