// Federation with another implementation: a Fedify application (fedify-app.ts) in its own process, which
// checks our signatures and documents, and sends its own.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { freePort } from "../../free-port.ts";
import { eventually } from "../eventually.ts";
import { journey } from "../journey.ts";
import { runNode } from "../process.ts";
import type { Running } from "../process.ts";
import type { Someone } from "../server.ts";
import { a as server } from "./pair.ts";

const APP = new URL("./fedify-app.ts", import.meta.url).pathname;

let alice: Someone;
let app: Running;
let origin = "";
let host = "";
let actor = "";
const step = journey(() => [server, app && { host: "Fedify", log: app.err }]);
/** The id of s1's account on our server. */
let s1 = "";

const order = async (act: string, more: object = {}): Promise<any> => {
  const body = JSON.stringify({ act, ...more });
  const answer = await fetch(`${origin}/control`, { method: "POST", body });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${act}: ${text}\n${app.err()}`);
  return JSON.parse(text);
};

const idOf = (value: any): string => (typeof value === "string" ? value : (value?.id ?? ""));

/** An activity that s1 has received. */
const arrived = (type: string, check: (activity: any) => boolean = () => true): Promise<any> =>
  eventually(`${type} at s1`, async () => {
    const { received } = (await (await fetch(`${origin}/control`)).json()) as { received: any[] };
    return received.find((activity) => activity.type === type && check(activity));
  });

const notified = (type: string, check: (notification: any) => boolean = () => true): Promise<any> =>
  eventually(`a ${type} notification`, async () => {
    const list: any[] = await alice.get("/api/v1/notifications");
    return list.find(
      (notification) =>
        notification.type === type &&
        notification.account.acct === `s1@${host}` &&
        check(notification),
    );
  });

const inHome = (uri: string): Promise<any> =>
  eventually(`${uri} in alice's home`, async () => {
    const list: any[] = await alice.get("/api/v1/timelines/home");
    return list.find((status) => (status.reblog ?? status).uri === uri);
  });

const relation = async (): Promise<any> =>
  (await alice.get(`/api/v1/accounts/relationships?id[]=${s1}`))[0];

const counts = (id: string, check: (status: any) => boolean): Promise<any> =>
  eventually("the counts", async () => check(await alice.get(`/api/v1/statuses/${id}`)));

before(async () => {
  const port = await freePort();
  host = `127.0.0.1:${port}`;
  origin = `http://${host}`;
  actor = `${origin}/users/s1`;
  alice = await server.person("known_alice");
  app = runNode([APP, String(port)], { cwd: server.dataDir });
  await eventually("Fedify", () => app.out().includes("listening") || !app.alive());
});

after(async () => {
  app?.child.kill("SIGKILL");
  await app?.ended;
});

describe("following, and from our server to Fedify", () => {
  step("it is found by its handle", async () => {
    const search = await alice.get(`/api/v2/search?q=@s1@${host}&resolve=true&type=accounts`);
    assert.equal(search.accounts[0]?.acct, `s1@${host}`);
    assert.equal(search.accounts[0].display_name, "Stranger One");
    s1 = search.accounts[0].id;
  });

  step("alice follows it and is accepted", async () => {
    await alice.post(`/api/v1/accounts/${s1}/follow`);
    await arrived(
      "Follow",
      (activity) => idOf(activity.actor) === `${server.url}/users/known_alice`,
    );
    await eventually("the Accept", async () => (await relation()).following);
  });

  step("its follow is accepted and notified", async () => {
    const object = `${server.url}/users/known_alice`;
    await order("follow", { object });
    await arrived("Accept", (activity) => idOf(activity.actor) === object);
    await notified("follow");
    assert.equal((await relation()).followed_by, true);
  });

  step("alice's post arrives, is edited and deleted", async () => {
    const status = await alice.post("/api/v1/statuses", { status: "Hello #stranger" });
    const create = await arrived("Create", (activity) => idOf(activity.object) === status.uri);
    assert.equal(create.object.content, status.content);
    await alice.put(`/api/v1/statuses/${status.id}`, { status: "Hello again" });
    const update = await arrived("Update", (activity) => idOf(activity.object) === status.uri);
    assert.match(update.object.content, /Hello again/);
    await alice.delete(`/api/v1/statuses/${status.id}`);
    await arrived("Delete", (activity) => idOf(activity.object) === status.uri);
  });

  step("a direct message to it arrives", async () => {
    const status = `psst @s1@${host}`;
    const direct = await alice.post("/api/v1/statuses", { status, visibility: "direct" });
    const create = await arrived("Create", (activity) => idOf(activity.object) === direct.uri);
    assert.deepEqual([create.to].flat(), [actor]);
  });
});

describe("what else our server sends", () => {
  step("alice's poll arrives with its options", async () => {
    const poll = { options: ["yes", "no"], expires_in: 3600 };
    const status = await alice.post("/api/v1/statuses", { status: "Well?", poll });
    const create = await arrived("Create", (activity) => idOf(activity.object) === status.uri);
    assert.equal(create.object.type, "Question");
    const names = [create.object.oneOf].flat().map((option: any) => option.name);
    assert.deepEqual(names, ["yes", "no"]);
  });

  step("her new name arrives", async () => {
    await alice.patch("/api/v1/accounts/update_credentials", { display_name: "Alice A." });
    const update = await arrived("Update", (activity) => activity.object?.name === "Alice A.");
    assert.equal(idOf(update.object), `${server.url}/users/known_alice`);
  });

  step("a report that she forwards arrives, and does not say who filed it", async () => {
    const report = { account_id: s1, comment: "too strange", forward: true };
    await alice.post("/api/v1/reports", report);
    const flag = await arrived("Flag");
    assert.equal(flag.content, "too strange");
    assert.notEqual(idOf(flag.actor), `${server.url}/users/known_alice`);
    assert.ok([flag.object].flat().map(idOf).includes(actor));
  });
});

describe("from Fedify to our server", () => {
  let note: { id: string; uri: string };
  let copy: any;
  let mine: any;

  step("its note arrives in alice's home", async () => {
    note = await order("create", { text: "hello from s1" });
    copy = await inHome(note.uri);
    assert.equal(copy.content, "<p>hello from s1</p>");
    assert.equal(copy.visibility, "public");
  });

  step("alice favourites and boosts it, and undoes both", async () => {
    await alice.post(`/api/v1/statuses/${copy.id}/favourite`);
    const like = await arrived("Like", (activity) => idOf(activity.object) === note.uri);
    await alice.post(`/api/v1/statuses/${copy.id}/unfavourite`);
    await arrived("Undo", (activity) => idOf(activity.object) === like.id);
    await alice.post(`/api/v1/statuses/${copy.id}/reblog`);
    const announce = await arrived("Announce", (activity) => idOf(activity.object) === note.uri);
    await alice.post(`/api/v1/statuses/${copy.id}/unreblog`);
    await arrived("Undo", (activity) => idOf(activity.object) === announce.id);
  });

  step("alice replies to it", async () => {
    const status = `@s1@${host} hello`;
    const reply = await alice.post("/api/v1/statuses", { status, in_reply_to_id: copy.id });
    const create = await arrived("Create", (activity) => idOf(activity.object) === reply.uri);
    assert.equal(idOf(create.object.inReplyTo), note.uri);
  });

  step("its edit and its deletion arrive", async () => {
    await order("update", { id: note.id, text: "edited from s1" });
    await eventually("the edit", async () => {
      const now = await alice.get(`/api/v1/statuses/${copy.id}`);
      return now.edited_at && now.content === "<p>edited from s1</p>";
    });
    await order("delete", { id: note.id });
    await eventually("the deletion", async () => {
      const { token } = alice;
      const { status } = await server.request("GET", `/api/v1/statuses/${copy.id}`, { token });
      return status === 404;
    });
  });

  step("its like, its boost and their undoing are counted", async () => {
    mine = await alice.post("/api/v1/statuses", { status: "like me" });
    await order("like", { object: mine.uri });
    await notified("favourite", (notification) => notification.status.id === mine.id);
    await order("announce", { object: mine.uri });
    await notified("reblog", (notification) => notification.status.id === mine.id);
    await counts(mine.id, (status) => status.favourites_count === 1 && status.reblogs_count === 1);
    await order("undo like", { object: mine.uri });
    await order("undo announce", { object: mine.uri });
    await counts(mine.id, (status) => status.favourites_count === 0 && status.reblogs_count === 0);
  });

  step("its reaction is shown with the post, until it is undone", async () => {
    await order("react", { object: mine.uri, text: "🦊" });
    const note = await notified("favourite", (notification) => notification.emoji === "🦊");
    assert.deepEqual(note.status.reactions, [{ name: "🦊", count: 1, me: false }]);
    await order("undo react", { object: mine.uri });
    await counts(mine.id, (status) => status.favourites_count === 0 && !status.reactions);
  });

  step("its new name is shown", async () => {
    await order("profile", { text: "Stranger Still" });
    await eventually("the name", async () => {
      const { display_name } = await alice.get(`/api/v1/accounts/${s1}`);
      return display_name === "Stranger Still";
    });
  });

  step("its message to alice alone is a conversation", async () => {
    const mentions = [`${server.url}/users/known_alice`];
    const sent = await order("create", { text: "psst", mentions, direct: true });
    const last = await eventually("the conversation", async () => {
      const list: any[] = await alice.get("/api/v1/conversations");
      return list.find((conversation) => conversation.last_status?.uri === sent.uri)?.last_status;
    });
    assert.equal(last.visibility, "direct");
  });

  step("its reply is notified, and in the thread", async () => {
    const mentions = [`${server.url}/users/known_alice`];
    const reply = await order("create", { text: "an answer", object: mine.uri, mentions });
    const note = await notified("mention", (notification) => notification.status.uri === reply.uri);
    assert.equal(note.status.in_reply_to_id, mine.id);
    const { descendants } = await alice.get(`/api/v1/statuses/${mine.id}/context`);
    assert.deepEqual(
      descendants.map((descendant: any) => descendant.uri),
      [reply.uri],
    );
  });

  step("both end their follows", async () => {
    await alice.post(`/api/v1/accounts/${s1}/unfollow`);
    await arrived(
      "Undo",
      (activity) => activity.object.type === "Follow" || /follow/i.test(idOf(activity.object)),
    );
    await order("undo follow", { object: `${server.url}/users/known_alice` });
    await eventually("no bond", async () => {
      const now = await relation();
      return !now.following && !now.followed_by;
    });
  });

  step("each blocks the other, and both blocks end", async () => {
    const object = `${server.url}/users/known_alice`;
    await order("block", { object });
    await eventually("its block", async () => (await relation()).blocked_by);
    await order("undo block", { object });
    await eventually("the end of it", async () => !(await relation()).blocked_by);
    await alice.post(`/api/v1/accounts/${s1}/block`);
    const block = await arrived("Block", (activity) => idOf(activity.object) === actor);
    await alice.post(`/api/v1/accounts/${s1}/unblock`);
    await arrived("Undo", (activity) => idOf(activity.object) === block.id);
  });
});
