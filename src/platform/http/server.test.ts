// The HTTP layer under every route: errors as JSON, CORS, the log, trusted proxies.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { after, before, test } from "node:test";
import { startSmallServer } from "../../../test/small-server.ts";
import type { SmallAnswer, SmallServer } from "../../../test/small-server.ts";
import * as errors from "../errors.ts";
import { user } from "./auth.ts";
import type { Server } from "./server.ts";

const FAULTS: Record<string, () => Error> = {
  "400": () => new errors.BadRequest(),
  "401": () => new errors.Unauthorized(),
  "403": () => new errors.Forbidden(),
  "404": () => new errors.NotFound(),
  "409": () => new errors.Conflict(),
  "410": () => new errors.Gone(),
  "422": () =>
    errors.invalidFields([{ field: "name", code: "ERR_TAKEN", description: "is taken" }]),
  "429": () => new errors.TooManyRequests(),
  "503": () => new errors.Unavailable(),
};

const routes = (server: Server): void => {
  server.get("/api/fault/:status", async (request) => {
    throw FAULTS[(request.params as { status: string }).status]!();
  });
  server.get("/api/broken", async () => {
    throw new TypeError("s3cret detail at /srv/app");
  });
  server.get("/api/thrown", async () => {
    throw Object.assign(new Error("from a library"), { statusCode: 302 });
  });
  server.get("/api/ok", async () => ({ ok: true, text: "ü" }));
  server.get("/api/text", async ({ query }) => query);
  server.get("/api/ip", async (request) => ({ ip: request.ip, protocol: request.protocol }));
  server.get("/api/user", { config: user("read") }, async () => ({}));
  server.get("/oauth/authorize", async () => "a page");
  server.post("/oauth/token", async () => ({}));
  server.get("/users/alice", async () => ({}));
};

let server: SmallServer;
before(async () => {
  server = await startSmallServer(routes);
});
after(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  server.call("GET", path, { headers });

const isError = (answer: SmallAnswer, status: number): void => {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(typeof answer.json.error, "string");
};

test("every error class has its status and a JSON body", async () => {
  for (const status of Object.keys(FAULTS))
    isError(await get(`/api/fault/${status}`), Number(status));
  assert.deepEqual((await get("/api/fault/422")).json, {
    error: "Validation failed: Name is taken",
    details: { name: [{ error: "ERR_TAKEN", description: "is taken" }] },
  });
});

test("unknown paths and wrong methods are a JSON 404", async () => {
  for (const path of ["/", "/api", "/api/v1/nothing", "/api/ok/more", "//", "/api/%E2%82%AC"]) {
    isError(await get(path), 404);
  }
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]) {
    const answer = await server.call(method, "/api/ok");
    assert.ok([404, 405].includes(answer.status), `${method} ${answer.status}`);
    assert.equal(typeof answer.json.error, "string");
  }
  isError(await server.call("POST", "/api/v1/nothing", { json: { a: 1 } }), 404);
});

test("malformed paths are a page for browsers", async () => {
  const answer = await server.call("GET", "/%E0%A4%A", { headers: { accept: "text/html" } });
  assert.equal(answer.status, 400);
  assert.match(String(answer.headers["content-type"]), /^text\/html/);
});

test("malformed paths are a 4xx as JSON", async () => {
  for (const path of ["/api/%zz", "/%", "/api/%ff%fe", `/api/fault/${"x".repeat(600)}`]) {
    const answer = await get(path);
    assert.ok(answer.status >= 400 && answer.status < 500, `${path} ${answer.status}`);
    assert.deepEqual(Object.keys(answer.json), ["error"], answer.text);
    assert.match(answer.json.error, path.length > 600 ? /too long/ : /malformed/);
  }
});

test("a slash at the end and HEAD are fine", async () => {
  assert.deepEqual((await get("/api/ok/")).json, { ok: true, text: "ü" });
  const head = await server.call("HEAD", "/api/ok");
  assert.deepEqual([head.status, head.text], [200, ""]);
});

test("several slashes are one in addresses of the API, and only there", async () => {
  const ok = { ok: true, text: "ü" };
  for (const path of ["//api/ok", "/api//ok", "///api///ok/"]) {
    const answer = await get(`${path}?url=https://a.example//b`);
    assert.deepEqual([answer.status, answer.json], [200, ok], path);
    assert.equal(answer.headers["access-control-allow-origin"], "*");
  }
  assert.equal((await server.call("POST", "//oauth/token")).status, 200);
  assert.equal((await get("//api/user")).status, 401);
  const query = await get("/api/text//?text=https://a.example//b?c");
  assert.deepEqual(query.json, { text: "https://a.example//b?c" });
  for (const path of ["//users/alice", "/users//alice", "//apis/ok", "//a.example/api/ok"]) {
    isError(await get(path), 404);
  }
});

test("an unexpected error has no details in the answer; the log has it without the query", async () => {
  server.lines.length = 0;
  const answer = await get("/api/broken?access_token=t0ken", { authorization: "Bearer h3ader" });
  isError(answer, 500);
  assert.doesNotMatch(answer.text + JSON.stringify(answer.headers), /s3cret|TypeError|srv/);
  const line = server.lines.find((entry) => entry["level"] === 50)!;
  assert.match(line["err"].stack, /s3cret detail/);
  assert.equal(line["path"], "/api/broken");
  assert.equal(line["reqId"], answer.headers["x-request-id"]);
  assert.doesNotMatch(JSON.stringify(server.lines), /t0ken|h3ader/);
});

test("an error never gets the status of a success", async () => {
  isError(await get("/api/thrown"), 500);
});

test("every request is one line in the log: method, path, status, time", async () => {
  server.lines.length = 0;
  await get("/api/ok?q=private");
  await get("/nowhere?q=private");
  const lines = server.lines.filter((line) => line["msg"] === "request");
  const shown = lines.map(({ method, path, status }) => [method, path, status]);
  assert.deepEqual(shown, [
    ["GET", "/api/ok", 200],
    ["GET", "/nowhere", 404],
  ]);
  for (const line of lines) assert.ok(Number.isInteger(line["ms"]));
  assert.doesNotMatch(JSON.stringify(server.lines), /private/);
});

const preflight = (path: string) =>
  server.call("OPTIONS", path, {
    headers: {
      origin: "https://client.example",
      "access-control-request-method": "DELETE",
      "access-control-request-headers": "authorization,idempotency-key",
    },
  });

test("a preflight is answered on any path, without a token", async () => {
  for (const path of ["/api/ok", "/api/user", "/api/v1/unknown", "/oauth/token", "/nowhere"]) {
    const { status, headers } = await preflight(path);
    assert.equal(status, 200, path);
    assert.equal(headers["access-control-allow-origin"], "*");
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      assert.match(
        headers["access-control-allow-methods"] as string,
        new RegExp(`\\b${method}\\b`),
      );
    }
    for (const name of ["authorization", "content-type", "idempotency-key"]) {
      assert.match(headers["access-control-allow-headers"] as string, new RegExp(name, "i"));
    }
    assert.equal(headers["access-control-allow-credentials"], undefined);
  }
});

test("a preflight allows the headers that are asked for, when they are names", async () => {
  const { headers } = await server.call("OPTIONS", "/api/ok", {
    headers: {
      "access-control-request-method": "POST",
      "access-control-request-headers": "X-Client, authorization,if-none-match, b@d,,*",
    },
  });
  assert.equal(
    headers["access-control-allow-headers"],
    "authorization, content-type, idempotency-key, x-client, if-none-match",
  );
});

test("answers may be read from any origin, errors too, with the headers that clients need", async () => {
  const paths = [
    "/api/ok",
    "/api/user",
    "/api/fault/422",
    "/api/broken",
    "/api/nothing",
    "/users/alice",
  ];
  for (const path of paths) {
    const { headers } = await get(path, { origin: "https://client.example" });
    assert.equal(headers["access-control-allow-origin"], "*", path);
    const exposed = (headers["access-control-expose-headers"] as string).toLowerCase().split(/, */);
    for (const name of ["link", "x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id"]) {
      assert.ok(exposed.includes(name), name);
    }
    assert.equal(headers["access-control-allow-credentials"], undefined);
    assert.equal(headers["x-content-type-options"], "nosniff");
  }
});

test("other origins cannot read sign-in pages", async () => {
  for (const path of ["/oauth/authorize", "/oauth/authorize?x=/api/", "/auth/sign_in", "/"]) {
    const { headers } = await get(path, { origin: "https://client.example" });
    assert.equal(headers["access-control-allow-origin"], undefined, path);
  }
});

const ipWith = async (env: Record<string, string>, headers: Record<string, string>) => {
  const other = await startSmallServer(routes, { env });
  try {
    return (await other.call("GET", "/api/ip", { headers })).json;
  } finally {
    await other.close();
  }
};

test("X-Forwarded-For counts only from trusted proxies, from the right", async () => {
  const forwarded = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https" };
  assert.deepEqual((await get("/api/ip")).json, { ip: "127.0.0.1", protocol: "http" });
  assert.deepEqual((await get("/api/ip", forwarded)).json, {
    ip: "203.0.113.9",
    protocol: "https",
  });
  const forged = { "x-forwarded-for": "198.51.100.1, 203.0.113.9" };
  assert.equal((await get("/api/ip", forged)).json.ip, "203.0.113.9");
  const chain = { "x-forwarded-for": "198.51.100.1, 203.0.113.9, 10.0.0.7" };
  assert.equal((await get("/api/ip", chain)).json.ip, "10.0.0.7");
  const both = { TRUSTED_PROXY_IP: "127.0.0.1, 10.0.0.0/8" };
  assert.equal((await ipWith(both, chain)).ip, "203.0.113.9");
  const otherProxies = { TRUSTED_PROXY_IP: "10.0.0.0/8" };
  assert.deepEqual(await ipWith(otherProxies, forwarded), { ip: "127.0.0.1", protocol: "http" });
});

test("a malformed forwarded address does no harm", async () => {
  for (const value of [
    "nonsense",
    "",
    ",,,",
    "unknown",
    "1.2.3.4:99",
    "[::1]:5",
    "x".repeat(5000),
  ]) {
    const { status } = await get("/api/ip", { "x-forwarded-for": value });
    assert.equal(status, 200, value.slice(0, 20));
  }
});

/** Writes bytes to a raw connection and returns all that comes back. */
const exchange = async (text: string): Promise<string> => {
  const socket = connectSocket(Number(new URL(server.url).port), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.end(text);
  return (await socket.toArray()).map(String).join("");
};

test("malformed HTTP and too many headers are refused without effect on others", async () => {
  assert.match(await exchange("nonsense\r\n\r\n"), /^HTTP\/1\.1 400 /);
  const many = `GET /api/ok HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(40_000)}\r\n\r\n`;
  assert.match(await exchange(many), /^HTTP\/1\.1 431 /);
  assert.equal((await get("/api/ok")).status, 200);
});

test("a request to upgrade to anything but a WebSocket gets an ordinary answer", async () => {
  const head = "GET /api/ok HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\n";
  assert.match(await exchange(`${head}upgrade: h2c\r\n\r\n`), /^HTTP\/1\.1 200 /);
});
