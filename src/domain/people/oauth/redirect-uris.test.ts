// Which redirect URIs are accepted, and that they are used unchanged.

import assert from "node:assert/strict";
import { test } from "node:test";
import { textsIn } from "../../../platform/text/texts.ts";
import { isAllowedRedirect, splitRedirects, withParameters } from "./redirect-uris.ts";
import { SCOPES, describeScopes, grantScopes, parseScopes } from "./scopes.ts";

const ALLOWED = [
  "https://app.example/callback",
  "http://localhost:4000/cb?x=1",
  "com.tapbots.Ivory.10217:/request_token",
  "urn:ietf:wg:oauth:2.0:oob",
  "mastodon://joinmastodon.org/oauth",
  "tusky-oauth2.a://x",
  "https://app.example/%2Fä?q=%20",
];

const REFUSED = [
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "blob:https://a.example/x",
  "file:///etc/passwd",
  "view-source:https://a.example",
  "/callback",
  "//evil.example/cb",
  "app.example/cb",
  "https://",
  "https:///cb",
  "http:cb",
  "https://a.example/#fragment",
  "https://a.example/\u0000",
  "\u0001javascript:alert(1)",
  "",
];

test("absolute addresses are taken, odd schemes too; what runs script is not", () => {
  for (const uri of ALLOWED) {
    assert.equal(isAllowedRedirect(uri), true, uri);
  }
  for (const uri of REFUSED) assert.equal(isAllowedRedirect(uri), false, JSON.stringify(uri));
});

test("several come in a list or in one text", () => {
  assert.deepEqual(splitRedirects(["a:/1\nb:/2  c:/3\r\n"]), ["a:/1", "b:/2", "c:/3"]);
  assert.deepEqual(splitRedirects(["a:/1", "b:/2 a:/1"]), ["a:/1", "b:/2"]);
  assert.deepEqual(splitRedirects([""]), []);
});

test("parameters are added without touching the address", () => {
  const add = (uri: string) => withParameters(uri, { code: "c/d", state: null });
  assert.equal(add("com.example:/cb"), "com.example:/cb?code=c%2Fd");
  assert.equal(add("https://a.example/%2F?x=%20"), "https://a.example/%2F?x=%20&code=c%2Fd");
  assert.equal(add("https://a.example/?"), "https://a.example/?code=c%2Fd");
  assert.equal(add("https://a.example/ä"), "https://a.example/%C3%A4?code=c%2Fd");
  assert.equal(withParameters("a:/", { state: "ü&\r\nx" }), "a:/?state=%C3%BC%26%0D%0Ax");
});

test("scopes: known ones, each once, within what was registered", () => {
  assert.deepEqual(parseScopes("read  write read\nfollow"), ["read", "write", "follow"]);
  assert.equal(parseScopes("read everything"), null);
  assert.deepEqual(grantScopes(["read", "write"], ""), ["read"]);
  assert.deepEqual(grantScopes(["write:statuses"], ""), ["write:statuses"]);
  assert.deepEqual(grantScopes(["read"], "read:accounts"), ["read:accounts"]);
  assert.equal(grantScopes(["read:accounts"], "read"), null);
  assert.equal(grantScopes(["read"], "write:statuses"), null);
  assert.equal(grantScopes(["read", "write"], "admin:read"), null);
});

test("every scope has words of its own", () => {
  const titles = SCOPES.map((scope) => describeScopes(textsIn("en"), [scope])[0]!.title);
  assert.equal(new Set(titles).size, SCOPES.length);
  assert.ok(titles.every((title) => !/undefined|_/.test(title)));
  const several = describeScopes(textsIn("en"), [
    "push",
    "read:lists",
    "write:media",
    "read:blocks",
    "read:mutes",
  ]);
  assert.deepEqual(several, [
    { title: "See some of your data", text: "Lists, blocks, and mutes" },
    { title: "Change your media files", text: "" },
    { title: "Send you push notifications", text: "Even while the app is closed" },
  ]);
});
