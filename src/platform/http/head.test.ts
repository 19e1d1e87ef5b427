// HEAD has the status and headers of GET, by the small server for each kind of answer.

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { startSmallServer } from "../../../test/small-server.ts";
import type { SmallAnswer, SmallServer } from "../../../test/small-server.ts";
import { Conflict } from "../errors.ts";
import { user } from "./auth.ts";
import { withoutHead } from "./incoming.ts";
import type { Server } from "./server.ts";

const asked: string[] = [];

const routes = (server: Server): void => {
  server.get("/api/json", async ({ method }) => {
    asked.push(method);
    return { text: "ü" };
  });
  server.get("/api/bytes", async (_request, reply) => reply.send(Buffer.from("12345")));
  server.get("/api/sized", async (_request, reply) =>
    reply.header("content-length", "3").send("abc"),
  );
  server.get("/api/stream", async (_request, reply) =>
    reply.header("content-length", "4").send(Readable.from(["ab", "cd"])),
  );
  server.get("/api/broken-stream", async (_request, reply) =>
    reply.send(
      Readable.from(
        (function* () {
          yield "ab";
          throw new Error("cut off");
        })(),
      ),
    ),
  );
  server.get("/api/moved", async (_request, reply) => reply.redirect("/api/json", 301));
  server.get("/api/empty", async (_request, reply) => reply.code(204).send());
  server.get("/api/known", async (_request, reply) => reply.code(304).send());
  server.get("/api/fault", async () => {
    throw new Conflict();
  });
  server.get("/api/user", { config: user("read") }, async () => ({}));
  server.get("/api/endless", withoutHead, async (_request, reply) => reply.send("begins"));
  server.post("/api/posted", async () => ({}));
};

let server: SmallServer;
before(async () => {
  server = await startSmallServer(routes);
});
after(() => server.close());

const CHANGES = new Set(["date", "keep-alive", "connection", "transfer-encoding", "x-request-id"]);
const shown = ({ status, headers }: SmallAnswer) => [
  status,
  Object.fromEntries(Object.entries(headers).filter(([name]) => !CHANGES.has(name))),
];

const PATHS = [
  "json json?a=1 json/ bytes sized stream moved empty known fault user",
  "nothing posted %zz",
]
  .join(" ")
  .split(" ");

test("each kind of answer is as that of GET, without its body", async () => {
  for (const path of PATHS) {
    const [get, head] = [
      await server.call("GET", `/api/${path}`),
      await server.call("HEAD", `/api/${path}`),
    ];
    assert.equal(head.text, "", path);
    assert.deepEqual(shown(head), shown(get), path);
  }
});

test("the route is told the method that was sent", async () => {
  asked.length = 0;
  await server.call("HEAD", "/api/json");
  assert.deepEqual(asked, ["HEAD"]);
});

test("a body that breaks off breaks nothing", async () => {
  assert.equal((await server.call("HEAD", "/api/broken-stream")).status, 200);
  assert.equal((await server.call("HEAD", "/api/json")).status, 200);
});

test("a route without an end has no HEAD", async () => {
  assert.equal((await server.call("GET", "/api/endless")).text, "begins");
  const [head, missing] = [
    await server.call("HEAD", "/api/endless"),
    await server.call("HEAD", "/api/nothing"),
  ];
  assert.deepEqual(shown(head), shown(missing));
});
