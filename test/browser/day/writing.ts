// The second half of the day: searching, writing with all features, and settings.

import { answerOf, assert, button, compose, fromMenu, gone, holds, isShown } from "./day.ts";
import { AUDIENCE, MORE, TEXT } from "../open.ts";
import { open, openPost, posted, says, send, sheet, statusIs, submit } from "./day.ts";
import type { Day, Step } from "./day.ts";
import { picture } from "../../files.ts";
import { caller } from "../village.ts";

const tool = (day: Day, name: string) => button(sheet(day), name);

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
      const { server, me, carol, hand, page } = day;
      const lock = (locked: boolean) =>
        caller(server)(me, "PATCH", "/api/v1/accounts/update_credentials", { locked });
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
      await fromMenu(day, "person", /^Remove from my followers/);
      await day.hand.press(sheet(day).locator("button.bad"));
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
      await isShown(day, "You are up to date");
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

export const WRITING: readonly Step[] = [
  [
    "write a post",
    async (day) => {
      await open(day, "/home");
      await compose(day, "A plain one");
      assert.match((await send(day)).content, /A plain one/);
    },
  ],
  [
    "with a picture and its description",
    async (day) => {
      const { page, hand } = day;
      await compose(day, "With a picture");
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        hand.press(tool(day, "Add pictures, video or audio")),
      ]);
      const buffer = await picture("png", 300, 200);
      await chooser.setFiles({ name: "a.png", mimeType: "image/png", buffer });
      await hand.write(sheet(day).locator(".media-form textarea"), "A heron");
      assert.equal((await send(day)).media_attachments[0].description, "A heron");
    },
  ],
  [
    "with a poll",
    async (day) => {
      await compose(day, "With a poll");
      await day.hand.press(tool(day, "Poll"));
      await day.hand.write(sheet(day).getByRole("textbox", { name: "Option 1" }), "Left");
      await day.hand.write(sheet(day).getByRole("textbox", { name: "Option 2" }), "Right");
      assert.equal((await send(day)).poll.options[1].title, "Right");
    },
  ],
  [
    "with a warning",
    async (day) => {
      await compose(day, "With a warning");
      await day.hand.press(tool(day, "Content warning"));
      await day.hand.write(sheet(day).locator(".warning-field"), "Herons");
      assert.equal((await send(day)).spoiler_text, "Herons");
    },
  ],
  [
    "for followers alone",
    async (day) => {
      await compose(day, "For few");
      await day.hand.press(sheet(day).locator(AUDIENCE));
      await day.hand.tick(sheet(day).getByRole("radio", { name: /^Followers only/ }));
      // A pointer has closed the menu by choosing.
      const choices = sheet(day).locator(".choice-options");
      if ((await choices.count()) > 0) await day.page.keyboard.press("Escape");
      await gone(choices);
      assert.equal((await send(day)).visibility, "private");
    },
  ],
  [
    "in another language",
    async (day) => {
      await compose(day, "Guten Morgen");
      await day.hand.press(sheet(day).locator(MORE));
      const list = sheet(day).getByLabel("Language of the post");
      await list.focus();
      await list.locator("option[value=de]").waitFor({ state: "attached" });
      await day.hand.choose(list, "de");
      await day.page.keyboard.press("Escape");
      await gone(sheet(day).locator(".choice-options"));
      assert.equal((await send(day)).language, "de");
    },
  ],
  [
    "for later",
    async (day) => {
      await compose(day, "For later");
      await day.hand.press(sheet(day).locator(MORE));
      await day.hand.press(tool(day, "Publish later"));
      await day.hand.press(sheet(day).locator(".composer-end .button"));
      await gone(sheet(day));
      await holds(
        day,
        "scheduled_statuses",
        ([scheduled]) => scheduled?.params.text === "For later",
      );
    },
  ],
  [
    "a thread of two",
    async (day) => {
      await compose(day, "The first of two");
      await day.hand.press(tool(day, "Add another post to the thread"));
      await day.hand.write(sheet(day).locator(TEXT).nth(1), "The second of two");
      const { in_reply_to_id } = await send(day);
      assert.match((await answerOf(day, `statuses/${in_reply_to_id}`)).content, /first of two/);
    },
  ],
  [
    "a draft that outlives a reload",
    async (day) => {
      await compose(day, "Not yet finished");
      await day.page.reload();
      await open(day, "/home");
      await day.hand.press(day.page.locator("a[data-act=compose]"));
      const field = sheet(day).locator(TEXT);
      await field.waitFor();
      assert.equal(await field.inputValue(), "Not yet finished");
    },
  ],
  [
    "discard the draft",
    async (day) => {
      day.page.once("dialog", (asking) => void asking.accept());
      await day.hand.press(sheet(day).locator(MORE));
      await day.hand.press(tool(day, "Discard"));
      await gone(sheet(day));
      const stored = await day.page.evaluate("JSON.stringify({ ...localStorage })");
      assert.ok(!String(stored).includes("Not yet finished"));
    },
  ],
  [
    "edit",
    async (day) => {
      await compose(day, "With a misteak");
      day.ids["own"] = (await send(day)).id;
      await openPost(day, "own", day.me.username);
      await fromMenu(day, "post", /^Edit$/);
      await day.hand.write(sheet(day).locator(TEXT), "Without a mistake");
      await day.hand.press(button(sheet(day), "Save changes"));
      await gone(sheet(day));
      await holds(day, `statuses/${day.ids["own"]}`, ({ edited_at }) => edited_at);
      await isShown(day, "Without a mistake");
    },
  ],
  [
    "read the history",
    async (day) => {
      await fromMenu(day, "post", /^Edit history/);
      await day.page.waitForURL("**/history");
      await day.page.locator("del, ins").first().waitFor();
    },
  ],
  [
    "say who can quote it",
    async (day) => {
      await openPost(day, "own", day.me.username);
      await fromMenu(day, "post", /^Who can quote/);
      await day.hand.tick(sheet(day).locator("input[value=nobody]"));
      await day.hand.press(button(sheet(day), "Save"));
      await gone(sheet(day));
      await holds(day, `statuses/${day.ids["own"]}`, ({ quote_approval: approval }) =>
        approval.automatic.every((who: string) => who !== "public"),
      );
    },
  ],
  [
    "pin",
    async (day) => {
      await fromMenu(day, "post", /^Pin/);
      await statusIs(day, "own", { pinned: true });
    },
  ],
  [
    "see it pinned",
    async (day) => {
      await open(day, `/@${day.me.username}`);
      await day.page.locator("article", { hasText: "Pinned" }).first().waitFor();
    },
  ],
  [
    "unpin",
    async (day) => {
      await openPost(day, "own", day.me.username);
      await fromMenu(day, "post", /^Unpin/);
      await statusIs(day, "own", { pinned: false });
    },
  ],
  [
    "delete and write anew",
    async (day) => {
      const before = day.ids["own"];
      await fromMenu(day, "post", /^Delete and redraft/);
      await day.hand.press(button(sheet(day), "Delete and rewrite"));
      await day.hand.write(sheet(day).locator(TEXT), "Written anew");
      day.ids["newest"] = before!;
      day.ids["own"] = (await send(day)).id;
      assert.notEqual(day.ids["own"], before);
    },
  ],
  [
    "delete",
    async (day) => {
      await openPost(day, "own", day.me.username);
      await fromMenu(day, "post", /^Delete$/);
      await day.hand.press(button(sheet(day), "Delete"));
      await gone(sheet(day));
      const path = `/api/v1/statuses/${day.ids["own"]}`;
      assert.equal((await day.server.request("GET", path, {})).status, 404);
    },
  ],
];

const FORM = "form[action='/web/act/filters']";

export const SETTINGS: readonly Step[] = [
  [
    "make a filter",
    async (day) => {
      const { page, hand } = day;
      await open(day, "/settings/filters");
      await hand.write(page.locator(`${FORM} [name=title]`), "No herons");
      await hand.write(page.locator(`${FORM} [name$="[keyword]"]`).first(), "heron");
      await hand.press(page.locator(FORM).getByRole("button", { name: "Save" }));
      await isShown(day, "No herons");
    },
  ],
  [
    "see the filter at work",
    async (day) => {
      await says(day, "bob", "statuses", { status: "A heron on the bank" });
      await day.server.runJobs();
      await open(day, "/home");
      await day.page.locator("article summary", { hasText: "No herons" }).first().waitFor();
    },
  ],
  [
    "delete the filter",
    async (day) => {
      await open(day, "/settings/filters");
      await day.hand.press(day.page.locator(".settings-row", { hasText: "No herons" }));
      await day.hand.press(button(day, "Delete filter"));
      await day.page.waitForURL("**/settings/filters");
      const { json } = await day.server.request("GET", "/api/v2/filters", { token: day.me.token });
      assert.deepEqual(json, []);
    },
  ],
  [
    "choose the dark theme",
    async (day) => {
      await open(day, "/settings/preferences");
      await day.hand.choose(day.page.locator("[name=theme]"), "dark");
      const form = day.page.locator("form", { has: day.page.locator("[name=theme]") });
      await day.hand.press(form.getByRole("button", { name: "Save" }));
      await day.page.locator("html[data-theme=dark]").waitFor();
    },
  ],
  [
    "post quietly by default",
    async (day) => {
      const list = day.page.locator("[name='posting:default:visibility']");
      await day.hand.choose(list, "unlisted");
      const form = day.page.locator("form", { has: list });
      await day.hand.press(form.getByRole("button", { name: "Save" }));
      await holds(day, "preferences", (all) => all["posting:default:visibility"] === "unlisted");
    },
  ],
  [
    "change the profile",
    async (day) => {
      await open(day, "/settings/profile");
      await day.hand.write(day.page.locator("[name=display_name]"), "Early Bird");
      await day.hand.write(day.page.locator("[name=note]"), "Up with the herons");
      const form = day.page.locator("form", { has: day.page.locator("[name=display_name]") });
      await day.hand.press(form.getByRole("button", { name: "Save" }));
      await holds(day, "accounts/verify_credentials", (me) => me.display_name === "Early Bird");
    },
  ],
  [
    "feature a hashtag",
    async (day) => {
      const form = day.page.locator("form[action='/web/act/featured_tags']");
      await day.hand.write(form.locator("[name=name]"), "herons");
      await day.hand.press(form.getByRole("button"));
      await holds(day, "featured_tags", ([tag]) => tag?.name === "herons");
    },
  ],
  [
    "list the keys",
    async (day) => {
      await open(day, "/home");
      await day.page.keyboard.press("?");
      await sheet(day).getByText("Next post").waitFor();
      await day.page.keyboard.press("Escape");
      await gone(sheet(day));
    },
  ],
  [
    "sign out",
    async (day) => {
      await open(day, "/settings");
      await submit(day, day.page.locator("form[action='/auth/sign_out'] button"));
      const answer = await day.page.request.get("/settings", { maxRedirects: 0 });
      assert.ok(answer.status() >= 300);
    },
  ],
];
