// Hostile input to every route: what could break out of a SQL text, a pattern, a path or a number, and JSON and
// forms of any shape. None may cause a 5xx, nor change what it must not.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { shareOf } from "../fuzz.ts";
import { sendRequest } from "../person.ts";
import { ROWS } from "../contract/rows.ts";
import { listRoutes } from "./routes.ts";
import type { Route } from "./routes.ts";
import { PUBLIC, startStage } from "./stage.ts";
import type { Json, Stage } from "./stage.ts";

let stage: Stage;
let routes: Route[];
let ownId: string;

before(async () => {
  stage = await startStage();
  routes = await listRoutes(stage.server.app);
  ownId = (await stage.write(stage.alice, "a post #tag")).id;
});
after(() => stage.close());

const TEXTS = [
  "'",
  "''",
  "';SELECT pg_sleep(9)--",
  "\\",
  "\\'",
  "%",
  "_",
  "%%%",
  '"',
  "$1",
  "${1}",
  "`",
  "\u0000",
  "\ud800",
  "a\nb",
  "{}",
  "[]",
  "{{1,2}}",
  "NULL",
  "(SELECT 1)",
  "1;1",
  "*",
  "?",
  "😀",
  "\u202e",
  "-- ",
  "/*",
  "x'41'",
  "E'\\x00'",
  "ARRAY[1]",
  "id ASC; DROP TABLE accounts",
];
const NUMBERS = [
  "-1",
  "0",
  "1e308",
  "NaN",
  "Infinity",
  "99999999999999999999",
  "9223372036854775807",
  "-9223372036854775808",
  "0x10",
  "1.5",
  " 1 ",
  "",
];
/** All parameters that lists, pages and searches read. */
const NAMES = [
  "max_id",
  "since_id",
  "min_id",
  "limit",
  "offset",
  "q",
  "type",
  "id[]",
  "acct",
  "any[]",
  "all[]",
  "none[]",
  "types[]",
  "exclude_types[]",
  "account_id",
  "tagged",
  "visibility",
  "order",
  "page",
  "resource",
  "lang",
  "date",
  "local",
  "resolve",
  "timeline[]",
  "access_token",
  "domain",
  "stream",
  "tag",
  "list",
];

/** Share of the values that a route meets: with hundreds of routes each value comes to dozens. */
const ONE_IN = 16;

/** Routes that are left out: streams do not end, files have no parameters. */
const isOther = ({ url }: Route): boolean =>
  /^\/(?:api\/v1\/streaming|assets|icons|avatars|headers)\/|\.(?:png|ico)$/.test(url);
const path = (url: string, id = ownId): string =>
  url
    .replace(/:(?:account_)?id\b/g, id)
    .replace(/:\w+/g, "alice")
    .replace("*", "x");

type Body = { type: string; text: string };

const faults = async (asks: { route: Route; url: string; body?: Body }[]): Promise<string[]> => {
  const wrong: string[] = [];
  for (const { route, url, body } of asks) {
    const { status } = await sendRequest(stage.server.url + url, route.method, {
      token: stage.alice.token,
      ...(body && { raw: body.text, headers: { "content-type": body.type } }),
    });
    if (status >= 500)
      wrong.push(
        `${route.method} ${url.slice(0, 200)} ${body?.text.slice(0, 100) ?? ""}: ${status}`,
      );
  }
  return wrong;
};

describe("Remote text never reaches SQL by concatenation (inbox URL, tag, sort keys).", () => {
  test("every GET route, with every parameter at once", async () => {
    const asks = routes
      .filter((route) => route.method === "GET" && !isOther(route))
      .flatMap((route, turn) =>
        shareOf([...TEXTS, ...NUMBERS], turn, ONE_IN).map((value) => {
          const query = NAMES.filter((name) => name !== "access_token").map(
            (name) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`,
          );
          return { route, url: `${path(route.url)}?${query.join("&")}` };
        }),
      );
    assert.deepEqual(await faults(asks), []);
  });

  test("parameters as lists, maps and twice", async () => {
    const shapes = (name: string) => [
      `${name}[]=1&${name}[]=2`,
      `${name}[a]=1`,
      `${name}[a][b][c][d][e][f][g]=1`,
      `${name}=1&${name}=2`,
      `${name}[__proto__]=1`,
      `${name}[constructor][prototype][polluted]=1`,
      `${name}[999999999]=1`,
      `${name}`,
    ];
    const asks = routes
      .filter((route) => route.method === "GET" && route.url.startsWith("/api/") && !isOther(route))
      .flatMap((route, turn) =>
        shareOf([...shapes("x").keys()], turn).map((index) => ({
          route,
          url: `${path(route.url)}?${NAMES.map((name) => shapes(name.replace("[]", ""))[index]).join("&")}`,
        })),
      );
    assert.deepEqual(await faults(asks), []);
    assert.equal(({} as Json)["polluted"], undefined);
  });

  test("every part of a path", async () => {
    const asks = routes
      .filter((route) => /:/.test(route.url) && route.method !== "DELETE")
      .flatMap((route, turn) =>
        shareOf(TEXTS, turn, ONE_IN).map((value) => ({
          route,
          url: route.url.replace(/:\w+/g, encodeURIComponent(value.toWellFormed())),
        })),
      );
    assert.deepEqual(await faults(asks), []);
  });

  test("raw bytes in paths and queries", async () => {
    const asks = [
      "/%",
      "/%zz",
      "/@%ff",
      "/tags/%c3%28",
      "/users/%00",
      "/.well-known/webfinger?resource=%ff",
      "/?%",
      "/api/v1/accounts/lookup?acct=%c3%28",
      "/api/v1/statuses/%c0%af",
      "//evil.example/",
      "/..;/",
      "/@alice%2f..%2f",
      `/${"a/".repeat(500)}`,
    ].map((url) => ({ route: { method: "GET", url, fields: [] }, url }));
    assert.deepEqual(await faults(asks), []);
  });

  test("through the inbox: ids, addresses, tags, names", async () => {
    const { bob, server, peer } = stage;
    for (const [turn, text] of TEXTS.entries()) {
      const odd = encodeURI(text.toWellFormed());
      const id = `${peer.origin}/n/${odd}${Math.random()}`;
      const object = {
        id,
        type: "Note",
        attributedTo: bob.uri,
        content: text,
        summary: text,
        to: [PUBLIC, text],
        cc: text,
        url: `${peer.origin}/${text}`,
        conversation: text,
        context: text,
        inReplyTo: `${peer.origin}/${odd}`,
        language: text,
        contentMap: { [text]: text },
        mediaType: text,
        tag: [
          { type: "Hashtag", name: text },
          { type: "Hashtag", name: `#${text}x` },
          { type: "Mention", href: `${peer.origin}/${odd}`, name: text },
          { type: text, name: text },
        ],
        attachment: [
          { type: text, mediaType: text, url: `${peer.origin}/${odd}`, name: text, blurhash: text },
        ],
      };
      const others = [
        { type: "Like", object: `${peer.origin}/${odd}` },
        { type: "Announce", id: `${id}#a`, object: id, to: [PUBLIC] },
        { type: "Undo", object: text },
        { type: "Delete", object: `${peer.origin}/${odd}` },
        { type: "Add", object: id, target: text },
        { type: "Update", object: { ...object, content: `${text}!` } },
        { type: text, object: text },
      ];
      const create = { id: `${id}#c${text}`, type: "Create", object };
      for (const activity of [create, ...shareOf(others, turn)]) {
        const { status } = await stage.post(bob, activity);
        assert.equal(status, 202, JSON.stringify(activity).slice(0, 200));
      }
    }
    await server.runJobs();
    const failed = await server.app.sql`SELECT body FROM incoming_activities`;
    assert.deepEqual(
      failed.map(({ body }) => String(body).slice(0, 300)),
      [],
    );
    assert.equal((await stage.get("/api/v1/timelines/home", stage.alice)).status, 200);
  });

  test("a pattern's special characters match only themselves", async () => {
    for (const q of ["%", "_", "\\", "a%e", "al_ce", "%25"]) {
      const { json } = await stage.get(
        `/api/v1/accounts/search?q=${encodeURIComponent(q)}`,
        stage.carol,
      );
      assert.deepEqual(json, [], q);
    }
    const { json } = await stage.get("/api/v1/accounts/search?q=alic", stage.carol);
    assert.equal(json.length, 1);
  });
});

describe("Hostile bodies are refused with 4xx or read as if the odd part were not there", () => {
  const BODIES: [type: string, body: () => string][] = [
    ["application/json", () => "["],
    ["application/json", () => "null"],
    ["application/json", () => "[]"],
    ["application/json", () => '"x"'],
    ["application/json", () => "1e999"],
    ["application/json", () => "[".repeat(200_000)],
    ["application/json", () => `{"status":${"[".repeat(5000)}${"]".repeat(5000)}}`],
    ["application/json", () => `{"status":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`],
    [
      "application/json",
      () =>
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"status":{"__proto__":{"polluted":1}}}',
    ],
    [
      "application/json",
      () =>
        '{"username":1e400,"email":-1e400,"status":1e400,"duration":1e400,"notifications":{},"languages":[[[]]],"id":[null],"visibility":["public"]}',
    ],
    [
      "application/json",
      () =>
        '{"status":null,"visibility":null,"language":null,"in_reply_to_id":null,"media_ids":null,"poll":null,"duration":null,"source":null,"fields_attributes":null}',
    ],
    [
      "application/json",
      () =>
        '{"fields_attributes":{"0":{"name":{},"value":[]},"__proto__":{"name":"x"}},"source":[1],"display_name":["x"],"note":{"a":1},"attribution_domains":{"a":{"b":1}}}',
    ],
    [
      "application/json",
      () =>
        '{"in_reply_to_id":"99999999999999999999","duration":99999999999999999999,"limit":"x","in_reply_to_id":{"$gt":""}}',
    ],
    ["application/json", () => '{"duration":-1,"notifications":"maybe","reblogs":[],"notify":{}}'],
    ["application/json", () => '{"duration":9007199254740991,"status":"x"}'],
    [
      "application/json",
      () =>
        JSON.stringify({
          status: "\ud800\u0000",
          spoiler_text: "\u0000",
          display_name: "\u0000",
          note: "\udfff",
        }),
    ],
    ["application/x-www-form-urlencoded", () => "a[".repeat(50_000)],
    ["application/x-www-form-urlencoded", () => "a[]=1&".repeat(100_000)],
    [
      "application/x-www-form-urlencoded",
      () =>
        "__proto__[polluted]=1&constructor[prototype][polluted]=1&status[__proto__][polluted]=1",
    ],
    ["application/x-www-form-urlencoded", () => "status=%ff%c3%28&%=1&=&&&=1"],
    ["multipart/form-data; boundary=x", () => "--x\r\n"],
    [
      "multipart/form-data; boundary=x",
      () =>
        '--x\r\nContent-Disposition: form-data; name="__proto__[polluted]"\r\n\r\n1\r\n--x--\r\n',
    ],
    [
      "multipart/form-data; boundary=x",
      () =>
        '--x\r\nContent-Disposition: form-data; name="status"; filename="../../x"\r\nContent-Type: text/html\r\n\r\n<b>\r\n--x--\r\n',
    ],
    ["multipart/form-data", () => "no boundary"],
    ["text/xml", () => "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>"],
    ["application/json; charset=utf-7", () => "{}"],
    ["x", () => "x".repeat(1000)],
  ];
  for (const [turn, [type, body]] of BODIES.entries()) {
    test(`${type}: ${body().slice(0, 60)}`, async () => {
      const writing = routes.filter(
        ({ method, url }) =>
          ["POST", "PUT", "PATCH", "DELETE"].includes(method) &&
          !/oauth\/revoke|sign_out|clear/.test(url),
      );
      const asks = shareOf(writing, turn, ONE_IN).map((route) => ({
        route,
        url: path(route.url, "1"),
        body: { type, text: body() },
      }));
      assert.deepEqual(await faults(asks), []);
      assert.equal(({} as Json)["polluted"], undefined);
      assert.equal(
        (await stage.get("/api/v1/accounts/verify_credentials", stage.alice)).status,
        200,
      );
    });
  }
});

/** In place of a text, a number, a flag or a list. */
const SHAPES: unknown[] = [
  {},
  { toString: 1 },
  { toString: "x", valueOf: null },
  { length: 1e9 },
  [{ toString: 1 }],
  [null],
  [[]],
  1.5,
  true,
  "x",
];

/** As the contract says, for routes that have no schema. */
const fieldsInContract = ({ method, url }: Route): string[] =>
  ROWS.filter((row) => row.method === method && row.path.replaceAll(/\{(\w+)\}/g, ":$1") === url)
    .flatMap(({ params }) => params.filter((param) => param.in === "form" || param.in === "json"))
    .map(({ name }) => name.replace(/\[.*$/, ""));

test("each field of each body is refused or passed over where it is of another shape", async () => {
  const scopes = [
    "read",
    "write",
    "follow",
    "push",
    "profile",
    "crypto",
    "admin:read",
    "admin:write",
  ];
  const owner = await stage.server.person("owner", { role: "Owner", scopes });
  const headers = { "content-type": "application/json", authorization: `Bearer ${owner.token}` };
  const own = await stage.write(owner, "of the owner's");
  // Without a translator, translations are answered by 503.
  const isAsked = ({ method, url }: Route) =>
    ["POST", "PUT", "PATCH"].includes(method) && /^\/api\/(?!.*\/translate$)/.test(url);
  const asks = routes.filter(isAsked).flatMap((route, turn) => {
    const fields = [...new Set([...route.fields, ...fieldsInContract(route)])];
    return shareOf(SHAPES, turn).flatMap((value) => {
      const together = Object.fromEntries(fields.map((name) => [name, value]));
      const bodies = [together, ...fields.map((name) => ({ [name]: value }))];
      return bodies.map((body) => ({
        route,
        url: path(route.url, own.id),
        init: { body: JSON.stringify(body), headers },
      }));
    });
  });
  assert.ok(asks.length > 500, `${asks.length} requests`);
  assert.deepEqual(await faults(asks), []);
});
