// The index of every page of the client. The first whose path matches is shown.

import { front } from "./front.tsx";
import { lazyPages } from "./lazy.tsx";
import { notifications } from "./notifications.tsx";
import { notificationTarget } from "./notification-target.ts";
import { offline } from "./offline.tsx";
import { POST_PATH } from "./of-post.ts";
import { matchPath } from "./page.ts";
import type { AnyPage } from "./page.ts";
import { profilePages } from "./profile.tsx";
import { thread } from "./thread.tsx";
import { timelinePages } from "./timelines.tsx";

const ofPost = (...parts: string[]): string[] => parts.map((part) => `${POST_PATH}/${part}`);

/**
 * Pages that most people open rarely. They are loaded when needed, which makes the first view of other pages smaller.
 */
const forEverybody: readonly AnyPage[] = [
  ...lazyPages(
    ["/about", "/privacy-policy", "/terms-of-service", "/terms-of-service/:date"],
    async () => (await import("./about.tsx")).aboutPages,
  ),
  ...lazyPages(
    ["/explore", "/explore/tags", "/explore/links", "/explore/people", "/directory"],
    async () => (await import("./explore.tsx")).explorePages,
  ),
  ...lazyPages(["/search"], async () => [(await import("./search.tsx")).search]),
  ...lazyPages(["/collections/:id(\\d+)"], async () => [
    (await import("./collection.tsx")).collection,
  ]),
  ...lazyPages(
    ["/interact/:id(\\d+)", "/interact"],
    async () => (await import("./interact.tsx")).interactPages,
  ),
  ...lazyPages(
    ofPost("favourites", "reblogs"),
    async () => (await import("./post-people.tsx")).postPeoplePages,
  ),
  ...lazyPages(ofPost("history"), async () => [(await import("./post-history.tsx")).postHistory]),
  ...lazyPages(["/@:acct/featured"], async () => [(await import("./featured.tsx")).featured]),
  ...lazyPages(
    ["/@:acct/followers", "/@:acct/following"],
    async () => (await import("./people.tsx")).peoplePages,
  ),
];

const forMembers = (paths: readonly string[], find: () => Promise<readonly AnyPage[]>) =>
  lazyPages(paths, find, { isForMembers: true });

const RELATIONS = [
  "unfollow",
  "block",
  "remove",
  "mute",
  "note",
  "follow",
  "block_domain",
  "lists",
];

const forMembersAlone: readonly AnyPage[] = [
  ...forMembers(
    ["/authorize_interaction", "/share"],
    async () => (await import("./authorize.tsx")).authorizePages,
  ),
  ...forMembers(
    ["/lists", "/lists/:id(\\d+)", "/lists/:id(\\d+)/edit"],
    async () => (await import("./lists.tsx")).listPages,
  ),
  ...forMembers(
    ["/groups", "/groups/:id(\\d+)"],
    async () => (await import("./groups.tsx")).groupPages,
  ),
  ...forMembers(["/followed_tags"], async () => [
    (await import("./followed-tags.tsx")).followedTags,
  ]),
  ...forMembers(["/conversations"], async () => [
    (await import("./conversations.tsx")).conversations,
  ]),
  ...forMembers(["/catch-up"], async () => [(await import("./catch-up.tsx")).catchUp]),
  ...forMembers(["/drafts"], async () => [(await import("./drafts.tsx")).drafts]),
  ...forMembers(["/scheduled"], async () => [(await import("./scheduled.tsx")).scheduled]),
  ...forMembers(["/compose"], async () => [(await import("./compose.tsx")).compose]),
  ...forMembers(["/notifications/requests", "/notifications/requests/:id(\\d+)"], async () => {
    const { requestList, requestSingle } = await import("./notification-requests.tsx");
    return [requestList, requestSingle];
  }),
  ...forMembers(["/notifications/settings", "/notifications/clear"], async () => {
    const { notificationSettings, notificationClear } = await import("./notification-settings.tsx");
    return [notificationSettings, notificationClear];
  }),
  ...forMembers(["/follow_requests"], async () => [
    (await import("./follow-requests.tsx")).followRequests,
  ]),
  ...forMembers(
    ofPost("quotes", "answers"),
    async () => (await import("./post-people.tsx")).postPeoplePages,
  ),
  ...forMembers(
    ofPost("delete", "quote_policy", "reply_policy", "boost_later", "filter"),
    async () => (await import("./post-forms.tsx")).postFormPages,
  ),
  ...forMembers(
    ofPost("why", "circle"),
    async () => (await import("./post-reach.tsx")).postReachPages,
  ),
  ...forMembers(
    RELATIONS.map((part) => `/@:acct/${part}`),
    async () => (await import("./relations.tsx")).relationPages,
  ),
  ...forMembers(["/@:acct/report"], async () => [(await import("./report.tsx")).reportPage]),
  ...forMembers(["/welcome"], async () => [(await import("./welcome.tsx")).welcome]),
  ...forMembers(["/you"], async () => [(await import("./you.tsx")).you]),
  ...forMembers(["/settings"], async () => (await import("./settings.tsx")).settingsPages),
  ...forMembers(["/settings/accounts"], async () => [(await import("./accounts.tsx")).accounts]),
  ...forMembers(
    ["/settings/profile"],
    async () => (await import("./edit-profile.tsx")).editProfilePages,
  ),
  ...forMembers(
    ["/settings/preferences"],
    async () => (await import("./preferences.tsx")).preferencesPages,
  ),
  ...forMembers(
    ["/settings/filters", "/settings/filters/:id(\\d+)"],
    async () => (await import("./filters.tsx")).filterPages,
  ),
  ...forMembers(
    ["/settings/mutes", "/settings/blocks", "/settings/domain_blocks", "/settings/muted_tags"],
    async () => (await import("./hidden.tsx")).hiddenPages,
  ),
];

export const PAGES: readonly AnyPage[] = [
  front,
  ...timelinePages,
  notifications,
  notificationTarget,
  offline,
  thread,
  ...forEverybody,
  ...forMembersAlone,
  ...profilePages,
];

export type Match = { page: AnyPage; params: Record<string, string> };

/** Returns the page of an address; members get home at the front page's. */
export const findPage = (address: string, isMember: boolean): Match | null => {
  const path = address === "/" && isMember ? "/home" : address;
  for (const page of PAGES) {
    const params = matchPath(page.path, path);
    if (params) return { page, params };
  }
  return null;
};
