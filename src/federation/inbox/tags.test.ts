// Tags and links of remote posts: they count, and bring the posts into timelines and lists.

import assert from "node:assert/strict";
import { after, before, test as it } from "node:test";
import * as w from "../../../test/inbox-world.ts";

before(w.openWorld);
after(w.closeWorld);

const hashtag = (name: string) => ({ type: "Hashtag", name, href: `${w.peer.origin}/tags/x` });

const NEWS = "https://news.example/story?a=1&b=2";

it("a note's tags are counted, come home to who follows them, and leave with it", async () => {
  const { token } = w.carol;
  await w.carol.post("/api/v1/tags/seabirds/follow");
  assert.deepEqual((await w.test.as(token).get("/api/v1/timelines/home")).json, []);
  const content = `<p>#SeaBirds <a href="${NEWS.replace("&", "&amp;")}">news</a></p>`;
  const tag = [hashtag("#SeaBirds"), hashtag("#seabirds")];
  const published = new Date().toISOString();
  const object = await w.create(w.bob, { content, tag, published });
  const home = await w.test.as(token).get("/api/v1/timelines/home");
  assert.deepEqual(
    home.json.map((status: any) => status.uri),
    [object["id"]],
  );
  await w.test.app.feeds.drop([`home:${w.carol.accountId}`]);
  assert.deepEqual((await w.test.as(token).get("/api/v1/timelines/home")).json, home.json);
  const { history } = (await w.test.as(token).get("/api/v1/tags/seabirds")).json;
  assert.deepEqual([history[0].uses, history[0].accounts], ["1", "1"]);
  const link = `/api/v1/timelines/link?url=${encodeURIComponent(NEWS)}`;
  assert.equal((await w.test.as(token).get(link)).json.length, 1);
  await w.send(w.bob, { type: "Delete", object: object["id"] });
  assert.deepEqual((await w.test.as(token).get("/api/v1/timelines/home")).json, []);
  assert.equal((await w.test.as(token).get(link)).status, 404);
});

it("a note goes into the lists that its author is in", async () => {
  const { token } = w.alice;
  const json = { title: "Elsewhere", exclusive: true };
  const list = (await w.alice.post("/api/v1/lists", json)).json.id;
  const path = `/api/v1/timelines/list/${list}`;
  const account_ids = [await w.idOfActor(w.bob)];
  await w.alice.post(`/api/v1/lists/${list}/accounts`, { account_ids });
  await w.test.as(token).get("/api/v1/timelines/home");
  const before = (await w.test.as(token).get(path)).json.length;
  const object = await w.create(w.bob, { published: new Date().toISOString() });
  const listed = (await w.test.as(token).get(path)).json;
  assert.equal(listed.length, before + 1);
  assert.equal(listed[0].uri, object["id"]);
  const home = (await w.test.as(token).get("/api/v1/timelines/home")).json;
  assert.ok(home.every((status: any) => status.uri !== object["id"]));
  // Bob blocks: the follow ends, and with it the place in the list.
  await w.send(w.bob, { type: "Block", object: w.uriOf(w.alice) });
  assert.deepEqual((await w.test.as(token).get(`/api/v1/lists/${list}/accounts`)).json, []);
  assert.deepEqual((await w.test.as(token).get(path)).json, []);
});
