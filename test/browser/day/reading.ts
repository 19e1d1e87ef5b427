// The first half of the day: signing in, reading, answering, and acting on the posts of others.

import { act, answerOf, button, fromMenu, gone, holds, isShown, open } from "./day.ts";
import { TEXT } from "../open.ts";
import { assert, openPost, posted, relationIs, says, send, sheet, statusIs } from "./day.ts";
import type { Day, Step } from "./day.ts";

const pressed = async (day: Day, name: string, isOn: boolean): Promise<void> => {
  await day.hand.press(act(day, name));
  await day.page.locator(`.post-main .act-${name}[aria-pressed=${isOn}]`).waitFor();
};

export const POSTS_OF_OTHERS: readonly Step[] = [
  [
    "sign in",
    async ({ page, hand, me }) => {
      await page.goto("/auth/sign_in");
      await hand.write(page.locator("[name=login]"), me.username);
      await hand.write(page.locator("[name=password]"), "correct horse");
      await hand.press(page.getByRole("button", { name: "Sign in", exact: true }));
      await page.waitForURL((url) => url.pathname !== "/auth/sign_in");
      const { length } = (await page.context().cookies()).filter(({ httpOnly }) => httpOnly);
      assert.ok(length > 0);
    },
  ],
  [
    "read home",
    async (day) => {
      await open(day, "/home");
      await isShown(day, "A sentence worth quoting");
    },
  ],
  [
    "see a new post arrive",
    async (day) => {
      await says(day, "bob", "statuses", { status: "Fresh from the river" });
      await isShown(day, "Fresh from the river");
    },
  ],
  [
    "open a thread",
    async (day) => {
      const post = day.page.locator(`article[data-status="${day.ids["thread"]}"]`);
      await day.hand.press(post.locator("a.post-time"));
      await day.page.waitForURL(`**/@bob/${day.ids["thread"]}`);
      await isShown(day, "I do");
    },
  ],
  [
    "answer",
    async (day) => {
      const { page, hand } = day;
      await hand.write(page.locator("[data-reply-to] textarea").first(), "So do I");
      await page.locator(TEXT).waitFor();
      await hand.press(page.locator(".composer-end .button"));
      const { in_reply_to_id } = await posted(day);
      assert.equal(in_reply_to_id, day.ids["thread"]);
      await page.locator("article", { hasText: "So do I" }).waitFor();
    },
  ],
  [
    "favourite",
    async (day) => {
      await openPost(day, "thread");
      await pressed(day, "favourite", true);
      await statusIs(day, "thread", { favourited: true });
    },
  ],
  [
    "see who favourited",
    async (day) => {
      await fromMenu(day, "post", /^Favourited by/);
      await isShown(day, day.me.username);
      await openPost(day, "thread");
    },
  ],
  [
    "take the favourite back",
    async (day) => {
      await pressed(day, "favourite", false);
      await statusIs(day, "thread", { favourited: false });
    },
  ],
  [
    "boost",
    async (day) => {
      await pressed(day, "boost", true);
      await statusIs(day, "thread", { reblogged: true });
    },
  ],
  [
    "take the boost back",
    async (day) => {
      await pressed(day, "boost", false);
      await statusIs(day, "thread", { reblogged: false });
    },
  ],
  [
    "bookmark",
    async (day) => {
      await pressed(day, "bookmark", true);
      await statusIs(day, "thread", { bookmarked: true });
    },
  ],
  [
    "read the bookmarks",
    async (day) => {
      await open(day, "/bookmarks");
      await isShown(day, "Who walks with me");
    },
  ],
  [
    "take the bookmark back",
    async (day) => {
      await openPost(day, "thread");
      await pressed(day, "bookmark", false);
      await statusIs(day, "thread", { bookmarked: false });
    },
  ],
  [
    "mute the conversation",
    async (day) => {
      await fromMenu(day, "post", /^Mute this conversation/);
      await statusIs(day, "thread", { muted: true });
    },
  ],
  [
    "quote",
    async (day) => {
      await openPost(day, "quotable");
      await day.hand.press(act(day, "quote"));
      await day.hand.write(sheet(day).locator(TEXT), "Well said");
      const { quote } = await send(day);
      assert.equal(quote.quoted_status.id, day.ids["quotable"]);
    },
  ],
  [
    "vote",
    async (day) => {
      await openPost(day, "poll");
      const form = day.page.locator(".post-main form[data-act=vote]");
      await day.hand.tick(form.locator("input[type=radio]").nth(1));
      await day.hand.press(form.getByRole("button", { name: "Vote" }));
      await statusIs(day, "poll", {});
      await holds(day, `statuses/${day.ids["poll"]}`, ({ poll }) => poll.own_votes?.[0] === 1);
    },
  ],
  [
    "read the result",
    async ({ page }) =>
      page.locator(".post-main .poll-results .own", { hasText: "Down" }).waitFor(),
  ],
  [
    "open a warning",
    async (day) => {
      await openPost(day, "warned");
      assert.equal(await day.page.getByText("It was the heron").isVisible(), false);
      await day.hand.press(day.page.locator(".post-main .warning > summary"));
      await isShown(day, "It was the heron");
    },
  ],
  [
    "read the description of a picture",
    async (day) => {
      await openPost(day, "media");
      const summary = day.page.locator(".post-main .alt summary").first();
      const words = day.page.locator(".post-main .alt p", { hasText: "The river in May" });
      await day.hand.press(summary);
      await words.waitFor();
      await day.hand.press(summary);
      await words.waitFor({ state: "hidden" });
    },
  ],
  [
    "open the viewer of media",
    async (day) => {
      await day.hand.press(day.page.locator(".post-main a[data-media]").first());
      await day.page.locator(".viewer-media[alt='The river in May']").waitFor();
    },
  ],
  [
    "turn to the next picture",
    async (day) => {
      await day.hand.press(button(sheet(day), /^Next/));
      await day.page.locator(".viewer-media[alt='The river in June']").waitFor();
    },
  ],
  [
    "close the viewer",
    async (day) => {
      await day.hand.press(button(sheet(day), "Close"));
      await gone(sheet(day));
    },
  ],
  [
    "report with a rule",
    async (day) => {
      await fromMenu(day, "post", /^Report/);
      const [rule] = await answerOf(day, "instance/rules");
      await day.hand.tick(sheet(day).locator("input[value=violation]"));
      await day.hand.tick(sheet(day).locator(`[name="rule_ids[]"][value="${rule.id}"]`));
      await day.hand.write(sheet(day).locator("[name=comment]"), "Look at this, please");
      await day.hand.press(sheet(day).locator(".decision-end button"));
      await gone(sheet(day));
      const [report] = await day.server.app.sql`
        SELECT category FROM reports WHERE account_id = ${day.me.accountId}`;
      assert.equal(report?.["category"], "violation");
    },
  ],
];

export const PEOPLE: readonly Step[] = [
  [
    "open a profile",
    async (day) => {
      await openPost(day, "answer", "carol");
      await day.hand.press(day.page.locator(".post-main a.post-author"));
      await day.page.waitForURL("**/@carol");
    },
  ],
  [
    "follow",
    async (day) => {
      await day.hand.press(day.page.locator(".profile-actions [data-act=follow]"));
      await relationIs(day, { following: true });
    },
  ],
  [
    "be told of every post",
    async (day) => {
      await fromMenu(day, "person", /^Notify me/);
      await relationIs(day, { notifying: true });
    },
  ],
  [
    "hide the boosts",
    async (day) => {
      await fromMenu(day, "person", /^Hide their boosts/);
      await relationIs(day, { showing_reblogs: false });
    },
  ],
  [
    "write a note",
    async (day) => {
      await fromMenu(day, "person", /^Private note/);
      await day.hand.write(sheet(day).getByRole("textbox"), "Met at the river");
      await day.hand.press(button(sheet(day), "Save"));
      await relationIs(day, { note: "Met at the river" });
      await gone(sheet(day));
    },
  ],
  [
    "mute for a day",
    async (day) => {
      await fromMenu(day, "person", /^Mute/);
      await day.hand.choose(sheet(day).locator("[name=duration]"), "86400");
      await day.hand.press(sheet(day).locator(".decision-end button"));
      await relationIs(day, { muting: true });
      await gone(sheet(day));
    },
  ],
  [
    "take the mute back",
    async (day) => {
      await fromMenu(day, "person", /^Unmute/);
      await relationIs(day, { muting: false });
    },
  ],
  [
    "see who follows them",
    async (day) => {
      await open(day, "/@carol/followers");
      await isShown(day, day.me.username);
    },
  ],
  [
    "make a list",
    async (day) => {
      await open(day, "/lists");
      await day.hand.write(day.page.locator("[name=title]"), "Walkers");
      await day.hand.press(button(day, "Create"));
      await holds(
        day,
        "lists",
        ([list]) => list?.title === "Walkers" && (day.ids["list"] = list.id),
      );
      await isShown(day, "Walkers");
    },
  ],
  [
    "add to the list",
    async (day) => {
      await open(day, "/@carol");
      await fromMenu(day, "person", /^Add to or remove from lists/);
      await day.hand.press(button(sheet(day), "Add to Walkers"));
      await button(sheet(day), "Remove from Walkers").waitFor();
      await holds(
        day,
        `lists/${day.ids["list"]}/accounts`,
        ([account]) => account?.acct === "carol",
      );
    },
  ],
  [
    "close a sheet by Escape",
    async (day) => {
      await day.page.keyboard.press("Escape");
      await gone(sheet(day));
    },
  ],
  [
    "read the list",
    async (day) => {
      await says(day, "carol", "statuses", { status: "Down at the bridge" });
      const path = `timelines/list/${day.ids["list"]}`;
      await holds(day, path, ([status]) => /Down at the bridge/.test(status?.content));
      await open(day, "/lists");
      await day.hand.press(day.page.getByRole("link", { name: "Walkers", exact: true }));
      await isShown(day, "Down at the bridge");
    },
  ],
  [
    "rename the list",
    async (day) => {
      await open(day, `/lists/${day.ids["list"]}/edit`);
      await day.hand.write(day.page.locator("[name=title]"), "Strollers");
      await day.hand.press(button(day, "Save"));
      await holds(day, "lists", ([list]) => list.title === "Strollers");
    },
  ],
  [
    "delete the list",
    async (day) => {
      await open(day, `/lists/${day.ids["list"]}/edit`);
      await day.hand.press(day.page.locator(".row-danger summary"));
      await day.hand.press(day.page.locator(".row-danger button"));
      await day.page.waitForURL("**/lists");
      await holds(day, "lists", ({ length }) => length === 0);
    },
  ],
  [
    "block",
    async (day) => {
      await open(day, "/@carol");
      await fromMenu(day, "person", /^Block carol/);
      await day.hand.press(sheet(day).locator(".decision-end button"));
      await relationIs(day, { blocking: true, following: false });
      await gone(sheet(day));
    },
  ],
  [
    "take the block back",
    async (day) => {
      await day.hand.press(day.page.locator(".profile-actions [data-act=unblock]"));
      await relationIs(day, { blocking: false });
    },
  ],
  [
    "follow again, and no longer",
    async (day) => {
      const actions = day.page.locator(".profile-actions");
      await day.hand.press(actions.locator("[data-act=follow]"));
      await relationIs(day, { following: true });
      await day.hand.press(actions.getByRole("button", { name: /Unfollow/ }));
      await day.hand.press(button(sheet(day), "Unfollow"));
      await relationIs(day, { following: false });
      await gone(sheet(day));
    },
  ],
  [
    "see the way to the moderators' page",
    async (day) => {
      await fromMenu(day, "person", /^Moderate carol/);
      await day.page.waitForURL("**/admin/accounts/**");
      assert.match((await day.page.textContent("body"))!, /carol/);
    },
  ],
];
