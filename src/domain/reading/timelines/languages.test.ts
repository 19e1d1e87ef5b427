// Public timelines by language: chosen ones, the locale's, Accept-Language; and how to turn that off.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { setSetting } from "../../base/settings/settings.ts";
import { acceptedLanguages, languageFamily } from "./languages.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
/** Language → a post; "none": without one. */
const posts: Record<string, string> = {};

before(async () => {
  t = await startTestApp();
  alice = await t.person("alice");
  bob = await t.person("bob");
  for (const language of ["en", "de", "pt", "pt-BR", "none"]) {
    const json = { status: `https://news.example/story #tongues ${language}`, language };
    if (language === "none") json.language = "en";
    const answer = await alice.post("/api/v1/statuses", json);
    posts[language] = answer.json.id;
  }
  await t.fixture((sql) => sql`UPDATE statuses SET language = NULL WHERE id = ${posts["none"]!}`);
});
after(() => t.close());

const ALL = ["en", "de", "pt", "pt-BR", "none"];

const PATHS = [
  "/api/v1/timelines/public",
  "/api/v1/timelines/tag/tongues",
  "/api/v1/timelines/link?url=https://news.example/story",
];

/** The languages that public timelines and those of links show; hashtags have them all. */
const shown = async (token: string | null, header?: string): Promise<string[]> => {
  const names = new Map(Object.entries(posts).map(([name, id]) => [id, name]));
  const headers: Record<string, string> = header === undefined ? {} : { "accept-language": header };
  const lists = await Promise.all(
    PATHS.map(async (path) => {
      const answer = await t.as(token).get(path, headers);
      assert.equal(answer.status, 200, answer.text);
      const isByHeader = token === null && !path.includes("/tag/");
      const vary = isByHeader ? "Authorization, Accept-Language, Origin" : "Authorization, Origin";
      assert.equal(answer.headers.get("vary"), vary);
      return answer.json.map((status: any) => names.get(status.id)).toReversed();
    }),
  );
  assert.deepEqual(lists[1]!.toSorted(), ALL.toSorted());
  assert.deepEqual(lists[2], lists[0]);
  return lists[0];
};

const prefer = async (who: Person, source: object) => {
  const path = "/api/v1/accounts/update_credentials";
  return (await who.patch(path, { source }).ok()).source;
};

test("all languages are shown where neither the person nor the server wants fewer", async () => {
  const anonymous = await t.visitor.get(PATHS[0]!, { "accept-language": "de" });
  assert.equal(anonymous.json.length, ALL.length);
  assert.equal(anonymous.headers.get("vary"), "Authorization, Origin");
  assert.deepEqual(await shown(bob.token, "de"), ALL);
  await setSetting(t.app, "languages_by_locale", true);
});

test("nobody signed in: the first that Accept-Language names", async () => {
  assert.deepEqual(await shown(null, "*"), ALL);
  assert.deepEqual(await shown(null, "de"), ["de", "none"]);
  assert.deepEqual(await shown(null, "*, xx-klingon, fr;q=0.1, de-AT;q=0.8"), ["de", "none"]);
  assert.deepEqual(await shown(null, "pt-BR"), ["pt", "pt-BR", "none"]);
  assert.deepEqual(await shown(null, "pt"), ["pt", "pt-BR", "none"]);
  assert.deepEqual(await shown(null, "fr"), ["none"]);
  assert.deepEqual(await shown(null, "de;q=0"), ALL);
  assert.deepEqual(await shown(null, ";;,,q=,\u00ff".repeat(50)), ALL);
});

test("a person: the chosen ones, else the locale's, whatever the header says", async () => {
  assert.deepEqual(await shown(bob.token, "de"), ["en", "none"]);
  await prefer(bob, { locale: "de" });
  assert.deepEqual(await shown(bob.token), ["de", "none"]);
  const source = await prefer(bob, { chosen_languages: ["en", "pt"] });
  assert.deepEqual(source.chosen_languages, ["en", "pt"]);
  assert.deepEqual(await shown(bob.token), ["en", "pt", "none"]);
  await prefer(bob, { chosen_languages: [] });
});

test("the person turns it off, and the server does", async () => {
  assert.equal((await prefer(bob, { languages_by_locale: false })).languages_by_locale, false);
  assert.deepEqual(await shown(bob.token), ALL);
  const path = "/api/v1/preferences";
  const preferences = await bob.get(path);
  assert.equal(preferences.json["reading:languages:by_locale"], false);
  await bob.patch(path, { "reading:languages:by_locale": null });
  assert.deepEqual(await shown(bob.token), ["de", "none"]);
  await setSetting(t.app, "languages_by_locale", false);
  assert.deepEqual(await shown(bob.token), ALL);
  const anonymous = await t.visitor.get(PATHS[0]!, { "accept-language": "de" });
  assert.equal(anonymous.json.length, ALL.length);
  assert.equal(anonymous.headers.get("vary"), "Authorization, Origin");
  await prefer(bob, { languages_by_locale: true });
  assert.deepEqual(await shown(bob.token), ["de", "none"]);
  await prefer(bob, { chosen_languages: ["pt"] });
  assert.deepEqual(await shown(bob.token), ["pt", "none"]);
  await setSetting(t.app, "languages_by_locale", true);
});

test("an edit invalidates cached pages", async () => {
  assert.deepEqual(await shown(null, "fr"), ["none"]);
  const edit = (language: string) =>
    alice.put(`/api/v1/statuses/${posts["en"]}`, {
      status: "https://news.example/story #tongues en",
      language,
    });
  assert.equal((await edit("fr")).json.language, "fr");
  assert.deepEqual(await shown(null, "fr"), ["en", "none"]);
  await edit("en");
  assert.deepEqual(await shown(null, "fr"), ["none"]);
});

test("families of languages", () => {
  assert.deepEqual(languageFamily("en-US"), ["en", "en-GB"]);
  assert.deepEqual(languageFamily("nl"), ["nl"]);
  assert.equal(languageFamily("*"), null);
  assert.equal(acceptedLanguages("*"), null);
  assert.equal(acceptedLanguages(undefined), null);
  assert.deepEqual(acceptedLanguages("nl;q=0.3, de;q=0.9"), ["de"]);
});
