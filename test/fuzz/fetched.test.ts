// Documents of another server that were valid before something in them was changed: actors, WebFinger, posts,
// collections, NodeInfo. Whoever looks somebody up there gets an answer, and no job fails.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fuzz, mutate, mutateText } from "../fuzz.ts";
import type { Json, Random } from "../fuzz.ts";
import { FETCH_BUDGETS, refund } from "../../src/platform/fetch/budget.ts";
import type { Cause } from "../../src/platform/fetch/budget.ts";
import { forgetHostFailures } from "../../src/platform/fetch/host-breaker.ts";
import * as world from "../inbox-world.ts";

before(() => world.openWorld());
after(() => world.closeWorld());

type Documents = Map<string, { [name: string]: unknown }>;

const collection = (id: string, items: unknown[], members: object = {}) => ({
  id,
  type: "OrderedCollection",
  totalItems: items.length,
  orderedItems: items,
  ...members,
});

/** An actor with all that is read of one, a thread, and what the server says of itself; by path. */
const documentsOf = (turn: number): Documents => {
  const { peer } = world;
  const name = `f${turn}`;
  const actor = peer.actor(name, turn % 3);
  const path = (uri: unknown) => String(uri).slice(peer.origin.length);
  const finger = `/.well-known/webfinger?resource=acct:${name}@${peer.host}`;
  const featuredTags = `${actor.uri}/tags`;
  const context = `${peer.origin}/contexts/${turn}`;
  const post = peer.note(actor, `/f/${turn}`, {
    context,
    summary: "s",
    tag: [
      { type: "Hashtag", name: "#tag" },
      { type: "Mention", href: world.uriOf(world.alice), name: "@alice" },
      { type: "Emoji", name: ":a:", icon: { type: "Image", url: `${peer.origin}/a.png` } },
    ],
    attachment: [{ type: "Document", mediaType: "image/png", url: `${peer.origin}/x.png` }],
    likes: collection(`${peer.origin}/f/${turn}/likes`, []),
    interactionPolicy: { canQuote: { automaticApproval: [world.PUBLIC] } },
  });
  const own = peer.note(actor, `/users/${name}/notes/1`, { inReplyTo: post["id"], context });
  const other = peer.note(actor, `/f/${turn}/2`, { inReplyTo: own["id"], quote: post["id"] });
  post["replies"] = collection(`${peer.origin}/f/${turn}/replies`, [], {
    first: collection(`${peer.origin}/f/${turn}/replies?page=1`, [own["id"], { ...other }], {
      type: "OrderedCollectionPage",
      next: `${peer.origin}/f/${turn}/replies?page=2`,
    }),
  });
  const page = collection(`${peer.origin}/f/${turn}/replies?page=2`, [other["id"]], {
    type: "OrderedCollectionPage",
  });
  const created = { type: "Create", actor: actor.uri, object: post["id"] };
  const said: Documents = new Map<string, { [name: string]: unknown }>([
    [
      path(actor.uri),
      {
        ...actor.document,
        featuredTags,
        summary: "<p>x</p>",
        attachment: [{ type: "PropertyValue", name: "a", value: "b" }],
        icon: { type: "Image", url: `${peer.origin}/i.png` },
        alsoKnownAs: [`${peer.origin}/users/other`],
      },
    ],
    [finger, peer.documents.get(finger) as { [name: string]: unknown }],
    [path(post["id"]), post],
    [path(own["id"]), own],
    [path(other["id"]), other],
    [path(page.id), page],
    [path(context), collection(context, [post["id"], own["id"]], { type: "Collection" })],
    [`/users/${name}/outbox`, collection(`${actor.uri}/outbox`, [created])],
    [`/users/${name}/followers`, collection(`${actor.uri}/followers`, [])],
    [
      `/users/${name}/collections/featured`,
      collection(`${actor.uri}/collections/featured`, [post]),
    ],
    [path(featuredTags), collection(featuredTags, [{ type: "Hashtag", name: "#a" }])],
    [
      "/.well-known/nodeinfo",
      {
        links: [
          {
            rel: "http://nodeinfo.diaspora.software/ns/schema/2.0",
            href: `${peer.origin}/nodeinfo`,
          },
        ],
      },
    ],
    [
      "/nodeinfo",
      { version: "2.0", software: { name: "x", version: "1" }, protocols: ["activitypub"] },
    ],
  ]);
  return said;
};

const serve = (random: Random, documents: Documents): string[] => {
  const { peer } = world;
  const changed = new Set([random.pick([...documents.keys()]), random.pick([...documents.keys()])]);
  const texts: string[] = [];
  for (const [path, document] of documents) {
    let mutated: Json = document as Json;
    for (let n = 0; changed.has(path) && n <= random.below(3); n++)
      mutated = mutate(random, mutated);
    const text = JSON.stringify(mutated);
    const body =
      changed.has(path) && random.chance(0.1)
        ? mutateText(random, text, '{}[]",:\\\u0000é0')
        : text;
    if (changed.has(path)) texts.push(`${path}: ${body.slice(0, 1500)}`);
    const type = path.startsWith("/.well-known/webfinger")
      ? "application/jrd+json"
      : path.includes("nodeinfo")
        ? "application/json"
        : "application/activity+json";
    peer.pages.set(path, { headers: { "content-type": type }, body });
  }
  return texts;
};

/** What was asked of the server before counts against nothing, nor does that it failed. */
const forget = async (): Promise<void> => {
  const { app } = world.test;
  const causes = Object.keys(FETCH_BUDGETS) as Cause[];
  for (const cause of causes) refund(app, cause, world.peer.origin, 1000);
  await forgetHostFailures(app, world.peer.origin);
};

/** A changed address may be that of another server, which is tried again. */
const UNREACHABLE =
  "host was not found|host has no address|name server|connection was (?:refused|closed)|answered [45]|No answer|not answered lately|has no address";

const failedJobs = () => world.test.app.sql<{ identifier: string; last_error: string }[]>`
  SELECT identifier, last_error FROM graphile_worker._private_jobs AS jobs
  JOIN graphile_worker._private_tasks AS tasks ON tasks.id = jobs.task_id
  WHERE last_error IS NOT NULL AND last_error !~ ${UNREACHABLE}
`;

test("changed documents never cause a 5xx nor a failed job", async () => {
  const get = async (path: string): Promise<any> => {
    const { status, text, json } = await world.alice.get(path);
    assert.ok(status < 500, `${path}: ${status} ${text}`);
    return json;
  };
  await fuzz(60, async (random, turn) => {
    await forget();
    const documents = documentsOf(turn);
    const texts = serve(random, documents);
    try {
      const find = (what: string) =>
        get(`/api/v2/search?resolve=true&q=${encodeURIComponent(what)}`);
      const { accounts } = await find(`@f${turn}@${world.peer.host}`);
      const { statuses } = await find(`${world.peer.origin}/f/${turn}`);
      for (const { id } of accounts ?? []) {
        await get(`/api/v1/accounts/${id}/statuses`);
        await world.alice.post(`/api/v1/accounts/${id}/follow`);
      }
      for (const { id } of statuses ?? []) await get(`/api/v1/statuses/${id}/context`);
      await world.test.runJobs();
      for (const { id } of statuses ?? []) await get(`/api/v1/statuses/${id}/context`);
      for (const { id } of accounts ?? []) await get(`/api/v1/accounts/${id}`);
      await get("/api/v1/timelines/home?limit=40");
      const [failed] = await failedJobs();
      assert.ok(!failed, `${failed?.identifier}: ${failed?.last_error}`);
    } catch (error) {
      throw new Error(`${(error as Error).message} for ${texts.join("\n")}`, { cause: error });
    }
  });
});
