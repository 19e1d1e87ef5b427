// What a person does in a day, with the client library masto, on a real server.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createOAuthAPIClient,
  createRestAPIClient,
  createStreamingAPIClient,
  MastoHttpError,
} from "masto";
import type { mastodon } from "masto";
import { setSetting } from "../../src/domain/base/settings/settings.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { confirmationLink } from "../mail.ts";
import { openBrowser } from "../browser.ts";
import { registerApp, signInWith } from "./person.ts";
import type { Client } from "./person.ts";

const PATIENCE_MS = 5000;

let server: TestApp;
let bobPerson: Person;
let client: Client;
let token: mastodon.v1.Token;
/** alice signs in through the pages; bob has a token. */
let alice: mastodon.rest.Client;
let bob: mastodon.rest.Client;
let aliceId: string;

const rest = (accessToken?: string) =>
  createRestAPIClient({ url: server.url, ...(accessToken && { accessToken }) });

/** Polls until `check` returns something: the effects of an action come later, by jobs. */
const eventually = async <T>(what: string, check: () => Promise<T | undefined>): Promise<T> => {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(20);
  }
};

const refused = (status: number) => (error: unknown) => {
  assert.ok(error instanceof MastoHttpError, String(error));
  assert.equal(error.statusCode, status);
  return true;
};

const inHome = (who: mastodon.rest.Client, id: string) =>
  eventually(`${id} in a home timeline`, async () => {
    const home = await who.v1.timelines.home.list({ limit: 40 });
    return home.find((status) => status.id === id || status.reblog?.id === id);
  });

before(async () => {
  server = await startTestApp();
  aliceId = (await server.person("alice")).accountId;
  bobPerson = await server.person("bob");
  bob = rest(bobPerson.token);
});

after(() => server.close());

describe("arriving", () => {
  it("reads what the server says about itself", async () => {
    const anonymous = rest();
    const [v1, v2] = [await anonymous.v1.instance.fetch(), await anonymous.v2.instance.fetch()];
    const host = new URL(server.url).host;
    assert.equal(v1.uri, host);
    assert.equal(v2.domain, host);
    assert.equal(v2.configuration.statuses.maxCharacters, 500);
    assert.equal(v2.configuration.urls.streaming, `ws://${host}`);
    assert.equal(v1.urls.streamingApi, `ws://${host}`);
    assert.deepEqual(await anonymous.v1.customEmojis.list(), []);
  });

  it("registers an app, which acts for no user yet", async () => {
    client = await registerApp(server);
    assert.equal(client.app.name, "A day with masto");
    const oauth = createOAuthAPIClient({ url: server.url });
    const own = await oauth.token.create({
      grantType: "client_credentials",
      clientId: client.clientId,
      clientSecret: client.clientSecret,
      redirectUri: "https://app.example/callback",
    });
    const app = rest(own.accessToken);
    assert.equal((await app.v1.apps.verifyCredentials()).name, "A day with masto");
    await assert.rejects(app.v1.accounts.verifyCredentials(), refused(422));
  });

  it("signs in through the pages; a wrong verifier gets no token", async () => {
    const verifier = "a-verifier-that-nobody-has-asked-for-and-43-chars";
    await assert.rejects(signInWith(server, client, "alice", { verifier }), refused(400));
    token = await signInWith(server, client, "alice");
    assert.equal(token.tokenType, "Bearer");
    assert.equal(token.scope, "read write follow push");
    alice = rest(token.accessToken);
    const me = await alice.v1.accounts.verifyCredentials();
    assert.deepEqual([me.id, me.username, me.source.privacy], [aliceId, "alice", "public"]);
    assert.equal((await alice.v1.preferences.fetch())["posting:default:visibility"], "public");
  });

  it("fills in the profile", async () => {
    const updated = await alice.v1.accounts.updateCredentials({
      displayName: "Alice",
      note: "Hi #cats",
      fieldsAttributes: [{ name: "Site", value: "https://example.org" }],
      source: { language: "en" },
    });
    assert.equal(updated.displayName, "Alice");
    assert.match(updated.note, /class="mention hashtag"/);
    assert.equal(updated.source.note, "Hi #cats");
    assert.match(updated.fields[0]!.value, /example\.org/);
    await assert.rejects(
      alice.v1.accounts.updateCredentials({ displayName: "x".repeat(200) }),
      refused(422),
    );
  });
});

describe("people", () => {
  it("finds somebody, by handle and by search", async () => {
    const account = await alice.v1.accounts.lookup({ acct: "bob" });
    assert.equal(account.id, bobPerson.accountId);
    const search = await alice.v2.search.list({ q: "bob", type: "accounts" });
    assert.deepEqual(
      search.accounts.map((account) => account.acct),
      ["bob"],
    );
    await assert.rejects(alice.v1.accounts.lookup({ acct: "nobody" }), refused(404));
  });

  it("follows, with a notification, unfollows and follows again", async () => {
    const relation = await alice.v1.accounts.$select(bobPerson.accountId).follow({ notify: true });
    assert.deepEqual([relation.following, relation.notifying], [true, true]);
    const note = await eventually("the notification", async () => {
      const notes = await bob.v1.notifications.list({ types: ["follow"] });
      return notes[0];
    });
    assert.equal(note.account.id, aliceId);
    const undone = await alice.v1.accounts.$select(bobPerson.accountId).unfollow();
    assert.equal(undone.following, false);
    await alice.v1.accounts.$select(bobPerson.accountId).follow();
    const [seen] = await alice.v1.accounts.relationships.fetch({ id: [bobPerson.accountId] });
    assert.equal(seen!.following, true);
    const followers = await bob.v1.accounts.$select(bobPerson.accountId).followers.list();
    assert.deepEqual(
      followers.map((account) => account.id),
      [aliceId],
    );
    assert.equal((await bob.v1.accounts.$select(aliceId).follow()).following, true);
  });
});

describe("posts", () => {
  let post: mastodon.v1.Status;
  let reply: mastodon.v1.Status;

  it("posts; the followers have it", async () => {
    post = await alice.v1.statuses.create({
      status: "Good morning @bob #Cats",
      spoilerText: "mild",
      visibility: "public",
      language: "en",
    });
    assert.equal(post.spoilerText, "mild");
    assert.equal(post.application?.name, "A day with masto");
    assert.deepEqual(
      post.mentions.map((mention) => mention.acct),
      ["bob"],
    );
    assert.deepEqual(
      post.tags.map((tag) => tag.name),
      ["cats"],
    );
    assert.equal((await inHome(bob, post.id)).account.displayName, "Alice");
    await assert.rejects(alice.v1.statuses.create({ status: "" }), refused(422));
  });

  it("sends the same post once, by its idempotency key", async () => {
    const send = () =>
      alice.v1.statuses.create(
        { status: "only once" },
        { requestInit: { headers: new Headers({ "Idempotency-Key": "one" }) } },
      );
    const [first, second] = [await send(), await send()];
    assert.equal(first.id, second.id);
  });

  it("edits; source and history show it", async () => {
    const edited = await alice.v1.statuses.$select(post.id).update({
      status: "Good evening @bob",
      spoilerText: "",
    });
    assert.match(edited.content, /Good evening/);
    assert.ok(edited.editedAt);
    const source = await alice.v1.statuses.$select(post.id).source.fetch();
    assert.equal(source.text, "Good evening @bob");
    const history = await bob.v1.statuses.$select(post.id).history.list();
    assert.deepEqual(
      history.map((edit) => edit.spoilerText),
      ["mild", ""],
    );
  });

  it("replies; the thread has both", async () => {
    reply = await bob.v1.statuses.create({ status: "@alice and you", inReplyToId: post.id });
    const context = await alice.v1.statuses.$select(post.id).context.fetch();
    assert.deepEqual(
      context.descendants.map((status) => status.id),
      [reply.id],
    );
    const up = await alice.v1.statuses.$select(reply.id).context.fetch();
    assert.deepEqual(
      up.ancestors.map((status) => status.id),
      [post.id],
    );
  });

  it("favourites, boosts, bookmarks and undoes each", async () => {
    const chosen = bob.v1.statuses.$select(post.id);
    const favourited = await chosen.favourite();
    assert.deepEqual([favourited.favourited, favourited.favouritesCount], [true, 1]);
    const boost = await chosen.reblog();
    assert.deepEqual([boost.reblog?.id, boost.reblog?.reblogsCount], [post.id, 1]);
    assert.equal((await chosen.bookmark()).bookmarked, true);
    assert.equal((await bob.v1.bookmarks.list())[0]?.id, post.id);
    assert.equal((await bob.v1.favourites.list())[0]?.id, post.id);
    assert.equal((await chosen.favouritedBy.list())[0]?.id, bobPerson.accountId);
    assert.equal((await chosen.rebloggedBy.list())[0]?.id, bobPerson.accountId);
    const types = await eventually("the notifications", async () => {
      const notes = await alice.v1.notifications.list();
      const types = notes.map((note) => note.type).toSorted();
      return types.length >= 4 ? types : undefined;
    });
    assert.deepEqual(types, ["favourite", "follow", "mention", "reblog"]);
    const after = [await chosen.unfavourite(), await chosen.unreblog(), await chosen.unbookmark()];
    const last = after[2]!;
    assert.deepEqual([last.favouritesCount, last.reblogsCount, last.bookmarked], [0, 0, false]);
  });

  it("pins to the profile", async () => {
    assert.equal((await alice.v1.statuses.$select(post.id).pin()).pinned, true);
    const pinned = await bob.v1.accounts.$select(aliceId).statuses.list({ pinned: true });
    assert.deepEqual(
      pinned.map((status) => status.id),
      [post.id],
    );
    assert.equal((await alice.v1.statuses.$select(post.id).unpin()).pinned, false);
  });

  it("deletes; the answer has the text for a redraft", async () => {
    const removed = await alice.v1.statuses.$select(post.id).remove();
    assert.equal(removed.text, "Good evening @bob");
    await assert.rejects(bob.v1.statuses.$select(post.id).fetch(), refused(404));
  });

  it("pages through home to its end, and back up", async () => {
    const ids: string[] = [];
    for (let number = 0; number < 7; number += 1) {
      ids.push((await bob.v1.statuses.create({ status: `number ${number}` })).id);
    }
    await inHome(alice, ids.at(-1)!);
    const pages: string[][] = [];
    for await (const page of alice.v1.timelines.home.list({ limit: 3 })) {
      pages.push(page.map((status) => status.id));
    }
    const all = pages.flat();
    assert.deepEqual(all.slice(0, 7), ids.toReversed());
    assert.equal(new Set(all).size, all.length);
    assert.ok(pages.length > 3 && pages[0]!.length === 3, JSON.stringify(pages));
    const upwards = alice.v1.timelines.home.list({ limit: 3, minId: ids[0]! }).setDirection("prev");
    const up: string[] = [];
    for await (const page of upwards) up.push(...page.map((status) => status.id).toReversed());
    assert.deepEqual(up, ids.slice(1));
  });
});

describe("live", () => {
  it("receives posts, notifications, edits and deletions live", async () => {
    const { configuration } = await alice.v2.instance.fetch();
    const streaming = createStreamingAPIClient({
      streamingApiUrl: configuration.urls.streaming,
      accessToken: token.accessToken,
      retry: false,
    });
    const events: mastodon.streaming.Event[] = [];
    const listening = (async () => {
      for await (const event of streaming.user.subscribe()) events.push(event);
    })();
    const next = (name: string, of: (event: any) => boolean) =>
      eventually(name, async () => events.find((event) => event.event === name && of(event)));
    const first = await eventually("the subscription", async () => {
      // The library does not say when a subscription begins: posts until one arrives.
      const { id } = await bob.v1.statuses.create({ status: "anybody there?" });
      await sleep(200);
      return events.find((event) => event.event === "update" && event.payload.id === id);
    });
    assert.deepEqual(first.stream, ["user"]);
    const { id } = await bob.v1.statuses.create({ status: "@alice live" });
    const update = await next("update", (event) => event.payload.id === id);
    assert.equal((update.payload as mastodon.v1.Status).account.username, "bob");
    const received = await next("notification", (event) => event.payload.status?.id === id);
    assert.equal((received.payload as mastodon.v1.Notification).type, "mention");
    await bob.v1.statuses.$select(id).update({ status: "@alice edited" });
    const edited = await next("status.update", (event) => event.payload.id === id);
    assert.match((edited.payload as mastodon.v1.Status).content, /edited/);
    await bob.v1.statuses.$select(id).remove();
    await next("delete", (event) => event.payload === id);
    streaming.close();
    await listening;
  });
});

describe("a new user, through the app", () => {
  const form = {
    username: "dora",
    email: "dora@example.com",
    password: "long enough",
    agreement: true,
    locale: "en",
  };
  let app: mastodon.rest.Client;

  before(async () => {
    await setSetting(server.app, "registrations", "open");
    const own = await createOAuthAPIClient({ url: server.url }).token.create({
      grantType: "client_credentials",
      clientId: client.clientId,
      clientSecret: client.clientSecret,
      redirectUri: "https://app.example/callback",
      scope: "read write follow push",
    });
    app = rest(own.accessToken);
  });

  it("gets errors by field", async () => {
    const bad = { ...form, username: "alice", email: "no address", password: "", agreement: false };
    await assert.rejects(app.v1.accounts.create(bad), (error: unknown) => {
      refused(422)(error);
      const details = (error as MastoHttpError).details!;
      const codes = Object.fromEntries(
        Object.entries(details).map(([field, faults]) => [field, faults[0]!.error]),
      );
      assert.deepEqual(codes, {
        username: "ERR_TAKEN",
        email: "ERR_INVALID",
        password: "ERR_BLANK",
        agreement: "ERR_ACCEPTED",
      });
      return true;
    });
  });

  it("signs up, confirms the address from the mail, and posts", async () => {
    const token = await app.v1.accounts.create(form);
    const dora = rest(token.accessToken);
    await assert.rejects(dora.v1.statuses.create({ status: "too early" }), refused(403));
    const link = await eventually("the mail", async () => {
      try {
        return confirmationLink(server, form.email);
      } catch {
        return undefined;
      }
    });
    await openBrowser(server).get(link);
    const post = await dora.v1.statuses.create({ status: "first!" });
    assert.equal(post.account.username, "dora");
  });
});

describe("leaving", () => {
  it("revokes the token", async () => {
    const { clientId, clientSecret } = client;
    const oauth = createOAuthAPIClient({ url: server.url });
    await oauth.revoke({ clientId, clientSecret, token: token.accessToken });
    await assert.rejects(alice.v1.accounts.verifyCredentials(), refused(401));
  });
});
