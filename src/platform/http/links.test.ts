// Link headers as clients parse them: absolute, next first, without secrets, well-formed.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startSmallServer } from "../../../test/small-server.ts";
import type { SmallServer } from "../../../test/small-server.ts";
import { parsePage } from "../db/paging.ts";
import { linkOffset, linkPage } from "./links.ts";
import type { Server } from "./server.ts";

const origin = "https://social.example";
/** The ids that the routes below return; tests set them. */
let ids: string[] = [];

const routes = (server: Server): void => {
  for (const prev of ["min_id", "since_id"] as const) {
    for (const path of [`/${prev}`, `/${prev}/:tag/list`]) {
      server.get(path, async (request, reply) => {
        const { limit } = parsePage(request.query as object, 20);
        linkPage(request, reply, { origin, ids, limit, prev });
        return ids;
      });
    }
  }
  server.get("/offset", async (request, reply) => {
    const { offset, limit } = request.query as Record<string, string>;
    const page = { offset: Number(offset ?? 0), limit: Number(limit ?? 20), count: ids.length };
    linkOffset(request, reply, { origin, ...page });
    return ids;
  });
};

let server: SmallServer;
before(async () => {
  server = await startSmallServer(routes);
});
after(() => server.close());

const header = async (path: string, rowIds: string[]): Promise<string | undefined> => {
  ids = rowIds;
  const answer = await server.call("GET", path);
  assert.equal(answer.status, 200, answer.text);
  return answer.headers["link"] as string | undefined;
};

/** Parses as simple clients do: splits at commas, then into rel and URL, in order. */
const links = async (path: string, rowIds: string[]): Promise<[string, string][]> => {
  const text = await header(path, rowIds);
  return (text ?? "").split(",").flatMap((part): [string, string][] => {
    if (part === "") return [];
    const [, url, rel] = /^\s*<([^<>]+)>; rel="(\w+)"$/.exec(part) ?? [];
    assert.ok(url && rel, part);
    return [[rel, url]];
  });
};

test("a full page has next and prev, in this order", async () => {
  assert.deepEqual(await links("/min_id?limit=2", ["9", "5"]), [
    ["next", `${origin}/min_id?limit=2&max_id=5`],
    ["prev", `${origin}/min_id?limit=2&min_id=9`],
  ]);
  assert.deepEqual(await links("/since_id?limit=2", ["9", "5"]), [
    ["next", `${origin}/since_id?limit=2&max_id=5`],
    ["prev", `${origin}/since_id?limit=2&since_id=9`],
  ]);
});

test("a page that is not full has no next, an empty one and one of limit 0 no header", async () => {
  assert.deepEqual(await links("/min_id", ["9"]), [["prev", `${origin}/min_id?min_id=9`]]);
  assert.equal(await header("/min_id", []), undefined);
  assert.equal(await header("/min_id?limit=0", []), undefined);
});

test("the old edges go, the rest of the query stays, the token does not", async () => {
  const query = "?max_id=1&min_id=2&since_id=3&limit=1&local=true&access_token=s3cret&q=a%20b%26c";
  const pairs = await links(`/min_id${query}`, ["7"]);
  for (const [rel, url] of pairs) {
    const { searchParams } = new URL(url);
    searchParams.delete(rel === "next" ? "max_id" : "min_id");
    assert.deepEqual(
      [...searchParams],
      [
        ["limit", "1"],
        ["local", "true"],
        ["q", "a b&c"],
      ],
    );
  }
  const token = "access_token[]=s3cret&access_token%5B%5D=s3cret&access%5Ftoken=s3cret";
  assert.doesNotMatch((await header(`/min_id?limit=1&${token}`, ["7"]))!, /s3cret/);
  assert.doesNotMatch((await header(`/offset?limit=1&offset=1&${token}`, ["7"]))!, /s3cret/);
});

test("lists stay lists", async () => {
  const pairs = await links("/min_id?limit=1&types[]=mention&types%5B%5D=follow&any[0]=x", ["7"]);
  const { searchParams } = new URL(pairs[0]![1]);
  assert.deepEqual(searchParams.getAll("types[]"), ["mention", "follow"]);
  assert.deepEqual(searchParams.getAll("any[]"), ["x"]);
});

test("nothing in a URL breaks the header", async () => {
  const queries = [
    "q=a,b",
    "a,b=1",
    'q=%3E%3B%20rel%3D"x"',
    "%0d%0aset-cookie:%20x=1",
    "ü=%F0%9F%90%A6",
  ];
  for (const query of [...queries, "a%00b=%00", "%3C=%3E", "q=%22", "a[b,c]=d"]) {
    const encoded = query.replaceAll("ü", "%C3%BC").replaceAll('"', "%22");
    const pairs = await links(`/min_id?limit=1&${encoded}`, ["7"]);
    assert.deepEqual(
      pairs.map(([rel]) => rel),
      ["next", "prev"],
      query,
    );
    for (const [, url] of pairs) assert.ok(/^[\x21-\x7e]+$/.test(url), url);
  }
  const comma = await links("/min_id?limit=1&q=a,b", ["7"]);
  assert.match(comma[0]![1], /q=a%2Cb&/);
});

test("the path stays as requested", async () => {
  const pairs = await links("/min_id/caf%C3%A9,x/list?limit=1", ["7"]);
  assert.equal(pairs[0]![1], `${origin}/min_id/caf%C3%A9%2Cx/list?limit=1&max_id=7`);
});

test("lists by offset: next while they are full, prev from the second on", async () => {
  const two = ["1", "2"];
  assert.deepEqual(await links("/offset?limit=2&q=x", two), [
    ["next", `${origin}/offset?limit=2&q=x&offset=2`],
  ]);
  assert.deepEqual(await links("/offset?offset=3&limit=2", two), [
    ["next", `${origin}/offset?limit=2&offset=5`],
    ["prev", `${origin}/offset?limit=2&offset=1`],
  ]);
  assert.deepEqual(await links("/offset?offset=1&limit=2", ["1"]), [
    ["prev", `${origin}/offset?limit=2&offset=0`],
  ]);
  assert.equal(await header("/offset?limit=0", []), undefined);
});
