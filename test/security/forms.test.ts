// Forms of our pages: whoever is signed in in a browser acts only through forms that were made for this browser. And
// no page of a person can be shown in a frame, kept by a cache or by the browser for the next one.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hiddenFields, openBrowser } from "../browser.ts";
import type { Browser } from "../browser.ts";
import { startTestApp } from "../harness.ts";
import type { Answer, RequestOptions, TestApp } from "../harness.ts";
import { filled, listRoutes, nameOf } from "./routes.ts";
import type { Route } from "./routes.ts";

let t: TestApp;
let owner: Browser;
let mallory: Browser;
let routes: Route[];

/**
 * Neither forms of a browser: they ask for a token, a signature or the secret of an app. And the form that takes a
 * visitor to their own server: it does nothing for whoever is signed in.
 */
const NO_FORMS =
  /^\/(?:api\/|interact$|inbox$|actor\/inbox$|(?:users\/:username|ap\/users\/:actorId)\/inbox$|fasp\/|auth\/(?:sso\/:id\/logout|auth\/saml\/callback)$|scim\/v2\/|oauth\/(?:token|revoke|introspect|userinfo)$)/;

before(async () => {
  t = await startTestApp();
  await t.person("boss", { role: "Owner" });
  await t.person("mallory");
  owner = openBrowser(t);
  mallory = openBrowser(t);
  await owner.signIn("boss");
  await mallory.signIn("mallory");
  routes = (await listRoutes(t.app)).filter(({ url }) => !NO_FORMS.test(url));
});
after(() => t.close());

const cookieOf = ({ cookies }: Browser): string =>
  [...cookies].map((pair) => pair.join("=")).join("; ");

const posted = () => routes.filter(({ method }) => !["GET", "HEAD", "OPTIONS"].includes(method));

const send = (route: Route, options: RequestOptions) =>
  t.request(route.method, filled(route.url), {
    ...options,
    headers: { ...options.headers, cookie: cookieOf(owner) },
  });

describe("a form without the token of this browser", () => {
  test("is refused by every route, whatever it looks like", async () => {
    const page: Answer = await mallory.get("/settings/export");
    const theirs = hiddenFields(page.text, "/settings/export/archive");
    assert.ok(theirs["form_token"]);
    assert.ok(posted().length > 100);
    for (const route of posted()) {
      const multipart = new FormData();
      multipart.set("form_token", theirs["form_token"]);
      const query: string = `${route.url}?form_token=${theirs["form_token"]}`;
      const answers: Answer[] = [
        await send(route, { form: {} }),
        await send(route, { form: theirs }),
        await send(route, { json: theirs }),
        await send(route, { multipart }),
        await send({ ...route, url: query }, { form: {} }),
      ];
      // By the token in its address, which was in a mail (RFC 8058): no browser has to be known.
      const expected = route.url.includes("/:token") ? 404 : 403;
      for (const { status } of answers) assert.equal(status, expected, nameOf(route));
    }
  });
});

describe("the token of forms", () => {
  const tokenIn = async (path: string): Promise<string> => {
    const { text } = await owner.get(path);
    return /name="form_token" value="([^"]+)"/.exec(text)![1]!;
  };
  const countOf = async (token: string): Promise<number> => {
    const answer = await t.visitor.post(
      "/web/session",
      { form_token: token },
      { cookie: cookieOf(owner) },
    );
    return answer.status;
  };

  test("is another text in each page, so that the length of a compressed one does not tell it", async () => {
    const paths = ["/home", "/home", "/settings/export", "/settings/profile"];
    const tokens = await Promise.all(paths.map(tokenIn));
    const pieces = tokens.flatMap((token) => {
      const bytes = Buffer.from(token, "base64url");
      assert.equal(bytes.length, 64);
      return Array.from({ length: 16 }, (_, at) =>
        bytes.subarray(4 * at, 4 * at + 4).toString("hex"),
      );
    });
    assert.equal(new Set(pieces).size, pieces.length);
    for (const token of tokens) assert.equal(await countOf(token), 200);
  });

  test("with any bit changed is refused, and so is what is behind its pad", async () => {
    const bytes = Buffer.from(await tokenIn("/home"), "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1 << (at % 8);
      assert.equal(await countOf(changed.toString("base64url")), 403);
    }
    const [pad, masked] = [bytes.subarray(0, 32), bytes.subarray(32)];
    const digest = Buffer.from(pad.map((byte, at) => byte ^ masked[at]!));
    for (const wrong of [digest, pad, Buffer.alloc(64), Buffer.concat([bytes, pad])])
      assert.equal(await countOf(wrong.toString("base64url")), 403);
  });
});

describe("the pages of a person", () => {
  test("are in no frame and in no cache", async () => {
    const pages = routes.filter(
      ({ method, url }) =>
        method === "GET" && /^\/(?:auth|settings|oauth|admin|disputes)/.test(url),
    );
    assert.ok(pages.length > 50);
    for (const route of pages) {
      const { headers, status } = await send(route, {});
      assert.match(headers.get("cache-control") ?? "", /no-store/, nameOf(route));
      if (status === 302 || !headers.get("content-type")?.startsWith("text/html")) continue;
      assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
      assert.equal(headers.get("x-frame-options"), "DENY", nameOf(route));
      assert.equal(headers.get("referrer-policy"), "same-origin", nameOf(route));
    }
  });

  test("their cookies are not for scripts, nor for what other sites send", async () => {
    const fresh = openBrowser(t);
    const answer = await fresh.signIn("boss");
    const lines = answer.headers.getSetCookie();
    assert.ok(lines.some((line) => line.startsWith("rookery_session=")));
    for (const line of lines) assert.match(line, /; HttpOnly; SameSite=Lax/);
  });
});
