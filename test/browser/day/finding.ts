// Finding things: hashtags, searches, people to explore, notifications and conversations.

import {
  assert,
  button,
  fromMenu,
  gone,
  holds,
  isShown,
  open,
  openPost,
  posted,
  says,
  sheet,
  submit,
} from "./day.ts";
import type { Step } from "./day.ts";
import { TEXT } from "../open.ts";

export const FINDING: readonly Step[] = [
  [
    "open a hashtag",
    async (day) => {
      await openPost(day, "thread");
      await day.hand.press(day.page.locator(".post-main a.mention, .post-main .text a").first());
      await day.page.waitForURL("**/tags/river");
    },
  ],
  [
    "follow the hashtag",
    async (day) => {
      await day.hand.press(button(day.page.locator("main form"), "Follow"));
      await holds(day, "tags/river", ({ following }) => following);
    },
  ],
  [
    "read the followed hashtags",
    async (day) => {
      await open(day, "/followed_tags");
      await isShown(day, "river");
    },
  ],
  [
    "follow the hashtag no longer",
    async (day) => {
      await day.hand.press(button(day.page.locator("main"), "Unfollow"));
      await holds(day, "tags/river", ({ following }) => !following);
    },
  ],
  [
    "search",
    async (day) => {
      await open(day, "/search");
      await day.hand.write(day.page.locator("main .search-form [name=q]"), "bob");
      await day.page.keyboard.press("Enter");
      await day.page.waitForURL("**/search?q=bob");
      await day.page.locator("main .person-card, main article").first().waitFor();
    },
  ],
  [
    "search by operators",
    async (day) => {
      await day.hand.write(day.page.locator("main .search-form [name=q]"), "from:me said");
      await day.hand.press(day.page.locator("main .search-form button"));
      await day.page.waitForURL("**/search?q=from*");
      await isShown(day, "Well said");
    },
  ],
  [
    "search once more for the same",
    async (day) => {
      await open(day, "/search");
      await day.hand.press(day.page.locator(".recent a", { hasText: "from:me said" }));
      await isShown(day, "Well said");
    },
  ],
  [
    "clear the recent searches",
    async (day) => {
      await open(day, "/search");
      await day.hand.press(button(day, "Clear recent searches"));
      await gone(day.page.locator(".recent"));
    },
  ],
  [
    "find an address by the link to it",
    async (day) => {
      await open(day, `/search?q=${encodeURIComponent(`${day.server.url}/@bob`)}`);
      await isShown(day, "@bob");
    },
  ],
  [
    "explore: posts, hashtags, news, people",
    async (day) => {
      await open(day, "/explore");
      for (const path of ["/explore/tags", "/explore/links", "/explore/people"]) {
        await day.hand.press(day.page.locator(`main .tabs a[href="${path}"]`));
        await day.page.waitForURL(`**${path}`);
        await day.page.locator(`main .tabs a[href="${path}"][aria-current=page]`).waitFor();
      }
    },
  ],
  [
    "look into the directory",
    async (day) => {
      await day.hand.press(day.page.locator("main a[href='/directory']"));
      await isShown(day, "bob");
    },
  ],
  [
    "read notifications",
    async (day) => {
      await says(day, "bob", "statuses", { status: `@${day.me.username} by the way` });
      await day.server.runJobs();
      await open(day, "/notifications");
      await isShown(day, "by the way");
    },
  ],
  [
    "read notifications of one kind",
    async (day) => {
      await day.hand.press(day.page.locator("main a[href='/notifications?kind=mention']"));
      await day.page.waitForURL("**kind=mention");
      await isShown(day, "by the way");
    },
  ],
  [
    "accept who asks to follow",
    async (day) => {
      const { me, carol, hand, page } = day;
      const lock = (locked: boolean) =>
        me.patch("/api/v1/accounts/update_credentials", { locked }).ok();
      await lock(true);
      await says(day, "carol", `accounts/${me.accountId}/follow`);
      await open(day, "/follow_requests");
      await hand.press(page.locator("main [data-act=authorize]"));
      await holds(
        day,
        `accounts/relationships?id[]=${carol.accountId}`,
        ([relation]) => relation.followed_by,
      );
      await lock(false);
    },
  ],
  [
    "remove a follower",
    async (day) => {
      await open(day, "/@carol");
      await fromMenu(day, "person", /^Remove follower/);
      await day.hand.press(sheet(day).locator(".decision-end button"));
      const path = `accounts/relationships?id[]=${day.carol.accountId}`;
      await holds(day, path, ([relation]) => !relation.followed_by);
      await gone(sheet(day));
    },
  ],
  [
    "read a conversation",
    async (day) => {
      await open(day, "/conversations");
      await isShown(day, "shall we meet?");
      await submit(day, button(day.page.locator("main"), "Mark as read").first());
      await holds(day, "conversations", (all) => all.every((each: any) => !each.unread));
    },
  ],
  [
    "answer in it, for nobody else",
    async (day) => {
      await openPost(day, "private");
      const field = day.page.locator("[data-reply-to] textarea").first();
      await day.hand.write(field, "@bob at noon");
      await day.page.locator(TEXT).waitFor();
      await day.hand.press(day.page.locator(".composer-end .button"));
      assert.equal((await posted(day)).visibility, "direct");
    },
  ],
  [
    "catch up",
    async (day) => {
      await open(day, "/catch-up");
      await day.page.locator("main h1").waitFor();
      await isShown(day, "You’re up to date");
    },
  ],
  [
    "react to an announcement",
    async (day) => {
      await open(day, "/home");
      const announcement = day.page.locator(".announcement").first();
      await day.hand.press(announcement.locator(".offered summary"));
      await day.hand.press(announcement.getByRole("button", { name: "React with 🎉" }));
      await holds(day, "announcements", ([first]) => first.reactions[0]?.me);
    },
  ],
  [
    "dismiss the announcement",
    async (day) => {
      await day.hand.press(button(day, "Dismiss"));
      await holds(day, "announcements", ([first]) => first.read);
      await gone(day.page.locator(".announcement"));
    },
  ],
];
