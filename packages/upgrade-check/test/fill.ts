// Fills a server through its API, as people and another server would: posts of all kinds, follows, polls, files,
// settings, and things that wait for their time. It uses only what 0.1.0 could do, or what a server may refuse, so
// that each version is filled by its own code.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { startPeer } from "../../../test/fake-peer.ts";
import { picture } from "../../../test/files.ts";

/** Runs a command of the version; returns the last line of what it prints. */
type Rookery = (...words: string[]) => Promise<string>;

export type Filled = { url: string; rookery: Rookery };

type Body = Record<string, unknown> | FormData;

type Person = { name: string; token: string; id: string };

const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;

/** Far enough from now that it still waits whenever the dump is read. */
const inYears = (years: number): string =>
  new Date(Date.now() + years * 365 * 24 * HOUR_MS).toISOString();

const until = async <T>(what: string, ask: () => Promise<T | null | undefined | false>) => {
  for (let n = 0; n < 300; n++) {
    const answer = await ask();
    if (answer) return answer;
    await sleep(100);
  }
  throw new Error(`${what} did not happen`);
};

const senderTo = (url: string) => {
  const send = async (token: string, method: string, path: string, body?: Body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !isForm && { "content-type": "application/json" }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const json: any = await response.json().catch(() => null);
    return { status: response.status, json };
  };
  return {
    /** What every version can do. */
    async call(by: Person, method: string, path: string, body?: Body): Promise<any> {
      const { status, json } = await send(by.token, method, path, body);
      assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(json)}`);
      return json;
    },
    /** What only later versions can do; null from earlier ones. */
    async mayCall(by: Person, method: string, path: string, body?: Body): Promise<any> {
      const { status, json } = await send(by.token, method, path, body);
      assert.ok(status < 500, `${method} ${path}: ${status}`);
      return status < 300 ? json : null;
    },
  };
};

type Sender = ReturnType<typeof senderTo>;

const SCOPES = "read write follow push";
const NAMES = ["bob", "carol", "dave", "erin", "frank"];

const makePeople = async ({ rookery }: Filled, { call }: Sender): Promise<Person[]> => {
  const make = async (name: string, ...more: string[]): Promise<Person> => {
    const email = `${name}@people.example`;
    const words = ["--email", email, "--confirmed", "--scopes", SCOPES, ...more];
    const person = { name, token: await rookery("accounts", "create", name, ...words), id: "" };
    const { id } = await call(person, "GET", "/api/v1/accounts/verify_credentials");
    return { ...person, id };
  };
  const people = [await make("alice", "--role", "Owner")];
  for (const name of NAMES) people.push(await make(name));
  return people;
};

const fillSettings = async ({ rookery }: Filled): Promise<void> => {
  await rookery("settings", "set", "title", "A server of dumps");
  await rookery("settings", "set", "contact_email", "alice@people.example");
  await rookery("rules", "add", "Be kind.");
  await rookery("announcements", "publish", "A dump is being made.").catch(() => "");
  await rookery("domain-blocks", "add", "bad.example", "--severity", "suspend").catch(() => "");
};

const fillFollows = async (people: Person[], { call }: Sender): Promise<void> => {
  const [alice, bob, carol, dave] = people as [Person, Person, Person, Person];
  for (const person of people.slice(1)) {
    await call(person, "POST", `/api/v1/accounts/${alice.id}/follow`);
    await call(alice, "POST", `/api/v1/accounts/${person.id}/follow`);
  }
  await call(carol, "PATCH", "/api/v1/accounts/update_credentials", {
    display_name: "Carol <&>",
    note: "Likes #dumps.\n\nhttps://people.example",
    locked: true,
    fields_attributes: [{ name: "site", value: "https://people.example" }],
  });
  await call(bob, "POST", `/api/v1/accounts/${carol.id}/follow`);
  await call(bob, "POST", `/api/v1/accounts/${dave.id}/mute`, { duration: 3000 * DAY_SECONDS });
  await call(dave, "POST", `/api/v1/accounts/${bob.id}/block`);
  const list = await call(alice, "POST", "/api/v1/lists", { title: "friends" });
  await call(alice, "POST", `/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.id] });
  await call(alice, "POST", "/api/v1/tags/dumps/follow");
  await call(bob, "POST", "/api/v2/filters", {
    title: "noise",
    context: ["home"],
    keywords_attributes: [{ keyword: "noise" }],
  });
  await call(alice, "POST", `/api/v1/accounts/${dave.id}/note`, { comment: "knows dumps" });
};

const upload = async (by: Person, { call }: Sender, size: number): Promise<string> => {
  const form = new FormData();
  const bytes = await picture("png", size, size);
  form.set("file", new Blob([new Uint8Array(bytes)], { type: "image/png" }), "picture.png");
  form.set("description", "red and blue");
  const { id } = await call(by, "POST", "/api/v2/media", form);
  await until("the picture", async () => (await call(by, "GET", `/api/v1/media/${id}`)).url);
  return id;
};

const fillPosts = async (people: Person[], sender: Sender): Promise<void> => {
  const { call, mayCall } = sender;
  const [alice, bob, carol, dave, erin] = people as [Person, Person, Person, Person, Person];
  const post = (by: Person, body: Body): Promise<any> => call(by, "POST", "/api/v1/statuses", body);
  const first = await post(alice, { status: "Hello #dumps https://people.example/page" });
  const pictured = await post(bob, {
    status: "a picture",
    media_ids: [await upload(bob, sender, 24)],
  });
  const answer = await post(bob, { status: "@alice <nice> & new", in_reply_to_id: first.id });
  await post(alice, { status: "more", in_reply_to_id: answer.id });
  await post(carol, { status: "@alice @bob psst", visibility: "direct" });
  await post(alice, { status: "quiet", visibility: "private" });
  await post(dave, { status: "unlisted", visibility: "unlisted", language: "de" });
  await post(erin, { status: "behind words", spoiler_text: "words", sensitive: true });
  const poll = { options: ["yes", "no"], expires_in: 2_000_000, multiple: false };
  const asked = await post(bob, { status: "a poll?", poll });
  await call(alice, "POST", `/api/v1/polls/${asked.poll.id}/votes`, { choices: [0] });
  await call(alice, "POST", `/api/v1/statuses/${pictured.id}/favourite`);
  await call(alice, "POST", `/api/v1/statuses/${pictured.id}/bookmark`);
  await call(alice, "POST", `/api/v1/statuses/${pictured.id}/reblog`);
  await call(bob, "POST", `/api/v1/statuses/${answer.id}/pin`);
  await call(bob, "PUT", `/api/v1/statuses/${answer.id}`, { status: "@alice edited" });
  const gone = await post(dave, { status: "soon gone" });
  await call(dave, "DELETE", `/api/v1/statuses/${gone.id}`);
  await post(alice, { status: "a quote", quoted_status_id: first.id });
  await post(alice, { status: "later", scheduled_at: inYears(4) });
  await mayCall(dave, "POST", "/api/v1/statuses", {
    status: "ends",
    expires_in: 3000 * DAY_SECONDS,
  });
  await mayCall(erin, "POST", "/api/v1/statuses", {
    status: "**bold**",
    content_type: "text/markdown",
  });
  await mayCall(bob, "POST", "/api/v1/statuses", { status: "stays here", visibility: "local" });
  const event = { name: "Ball <& more>", starts_at: inYears(5), place: "Park" };
  await mayCall(bob, "POST", "/api/v1/statuses", { status: "come", event });
  await mayCall(alice, "POST", "/api/v1/groups", { name: "dumpers", display_name: "Dumpers" });
  await mayCall(bob, "POST", "/api/v1/saved_searches", { q: "from:alice dumps" });
  await mayCall(bob, "POST", "/api/v1/drafts", { statuses: [{ status: "not yet" }] });
  for (let n = 0; n < 20; n++) await post(people[n % people.length]!, { status: `post ${n}` });
  await call(erin, "POST", "/api/v1/reports", {
    account_id: dave.id,
    status_ids: [],
    comment: "a report that waits",
  });
};

/** Somebody elsewhere follows and is followed; what was sent to them last waits, as their server is away. */
const fillElsewhere = async (url: string, alice: Person, { call }: Sender): Promise<void> => {
  const peer = await startPeer();
  try {
    const zoe = peer.actor("zoe");
    const found = async (query: string, what: string) => {
      const path = `/api/v2/search?resolve=true&q=${encodeURIComponent(query)}`;
      return (await call(alice, "GET", path))[what][0];
    };
    const account = await until("the account", () => found(`@zoe@${peer.host}`, "accounts"));
    await zoe.deliver(
      { url, runJobs: async () => {} },
      { type: "Follow", object: `${url}/users/alice` },
    );
    await until("the follow", async () => {
      const followers = await call(alice, "GET", `/api/v1/accounts/${alice.id}/followers`);
      return followers.some(({ id }: { id: string }) => id === account.id);
    });
    const note = peer.note(zoe, "/notes/1", { content: "<p>from <b>elsewhere</b></p>" });
    const status = await until("the post", () => found(String(note["id"]), "statuses"));
    await call(alice, "POST", `/api/v1/statuses/${status.id}/reblog`);
    await until("the boost", async () => peer.inbox().some(({ type }) => type === "Announce"));
    const received = peer.inbox().length;
    peer.answer.status = 503;
    await call(alice, "POST", `/api/v1/accounts/${account.id}/follow`);
    await call(alice, "POST", `/api/v1/statuses/${status.id}/favourite`);
    await until("the failure", async () => peer.inbox().length > received);
  } finally {
    await peer.close();
  }
};

export const fill = async (server: Filled): Promise<void> => {
  const sender = senderTo(server.url);
  const people = await makePeople(server, sender);
  await fillSettings(server);
  await fillFollows(people, sender);
  await fillPosts(people, sender);
  await fillElsewhere(server.url, people[0]!, sender);
};
