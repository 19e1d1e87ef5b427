// Translating posts by a fake service on loopback that speaks the APIs of LibreTranslate and DeepL.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTranslator } from "../../../../test/fake-translator.ts";
import type { FakeTranslator } from "../../../../test/fake-translator.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let service: FakeTranslator;
let t: TestApp;
let author: Person;
let reader: Person;
let translate: FakeTranslator["answer"]["translate"];

before(async () => {
  service = await startTranslator();
  ({ translate } = service.answer);
  // The service is on loopback, which requests to remote addresses may not reach.
  const env = { LIBRE_TRANSLATE_ENDPOINT: `${service.origin}/`, ALLOWED_PRIVATE_ADDRESSES: "" };
  t = await startTestApp({ env });
  [author, reader] = [await t.person("author"), await t.person("reader")];
});
after(async () => {
  await t?.close();
  await service?.close();
});

const usual = { status: 200, hang: false };
beforeEach(() => {
  service.requests.length = 0;
  Object.assign(service.answer, usual, { translate });
});

const post = (json: Record<string, unknown>): Promise<any> =>
  author.post("/api/v1/statuses", { language: "de", ...json }).ok();
const ask = (id: string, lang?: string, by: Person = reader) =>
  t.as(by).post(`/api/v1/statuses/${id}/translate`, lang === undefined ? {} : { lang });

test("text, warning, poll and pictures come back in the other language", async () => {
  const poll = { options: ["Tee", "Kaffee & Kuchen"], expires_in: 600 };
  const original = await post({ status: "Guten <Morgen>", spoiler_text: "Achtung", poll });
  await t.write`
    INSERT INTO media_attachments (account_id, status_id, type, url, description)
    VALUES (${author.accountId}, ${original.id}, 'image', 'https://pictures.example/1', 'Ein Bild'),
      (${author.accountId}, ${original.id}, 'image', 'https://pictures.example/2', NULL)`;
  await t.write`UPDATE statuses SET has_media = true WHERE id = ${original.id}`;
  const json = await ask(original.id, "en").ok();
  assertEntity("Translation", json);
  const { id: _, ...picture } = json.media_attachments[0];
  assert.deepEqual(
    { ...json, media_attachments: [picture] },
    {
      content: "<p>[en: Guten &lt;Morgen&gt;]</p>",
      spoiler_text: "[en: Achtung]",
      language: "en",
      poll: {
        id: original.poll.id,
        options: [{ title: "[en: Tee]" }, { title: "[en: Kaffee & Kuchen]" }],
      },
      media_attachments: [{ description: "[en: Ein Bild]" }],
      detected_source_language: "de",
      provider: "LibreTranslate",
    },
  );
  assert.equal(json.media_attachments.length, 1);
  const sent = service.requests.find(({ path }) => path === "/translate")!.body;
  assert.deepEqual([sent.source, sent.target, sent.format], ["de", "en", "html"]);
});

test("translations are cached by their text", async () => {
  const status = await post({ status: "einmal" });
  await ask(status.id, "fr");
  service.requests.length = 0;
  assert.match((await ask(status.id, "fr")).json.content, /\[fr: einmal\]/);
  assert.equal(service.requests.length, 0);
  await author.put(`/api/v1/statuses/${status.id}`, { status: "zweimal" });
  assert.match((await ask(status.id, "fr")).json.content, /\[fr: zweimal\]/);
  assert.equal(service.requests.length, 1);
});

test("HTML from the service is sanitised", async () => {
  service.answer.translate = () => '<p onclick="x">a<script>alert(1)</script><img src=x></p>';
  const { json } = await ask((await post({ status: "x", spoiler_text: "y" })).id, "en");
  assert.equal(json.content, "<p>a</p>");
  assert.equal(json.spoiler_text, "a");
});

test("without a language it is the reader's own; regional ones count as theirs", async () => {
  const status = await post({ status: "Hallo" });
  assert.equal((await ask(status.id)).json.language, "en");
  assert.equal((await ask(status.id, "en-GB")).json.language, "en");
});

test("a post without a language is found out", async () => {
  const status = await post({ status: "Servus" });
  await t.write`UPDATE statuses SET language = NULL WHERE id = ${status.id}`;
  assert.equal((await ask(status.id, "en")).json.detected_source_language, "de");
});

test("only what everybody may read, and what the viewer sees", async () => {
  const hidden = await post({ status: "nur für Freunde", visibility: "private" });
  assert.equal((await ask(hidden.id, "en")).status, 404);
  assert.equal((await ask(hidden.id, "en", author)).status, 403);
  assert.equal((await ask("109999999999999999", "en")).status, 404);
  assert.equal(service.requests.filter(({ path }) => path === "/translate").length, 0);
  const { id } = await post({ status: "offen", visibility: "unlisted" });
  await ask(id, "en").ok();
  const path = `/api/v1/statuses/${id}/translate`;
  assert.equal((await t.visitor.post(path)).status, 401);
  const token = await t.token(reader.userId, ["write"]);
  assert.equal((await t.as(token).post(path)).status, 403);
});

test("languages that do not go together, or are none, are refused", async () => {
  const { id } = await post({ status: "eins" });
  for (const lang of ["de", "ja", "xx", "\u0000", "x".repeat(90)]) {
    assert.equal((await ask(id, lang)).status, 422, lang);
  }
});

test("a service that is down, refuses or answers nonsense is an error, which is not cached", async () => {
  const { id } = await post({ status: "weg" });
  await ask(id, "fr");
  for (const status of [429, 456, 403, 500]) {
    service.answer.status = status;
    const answer = await ask(id, "en");
    assert.equal(answer.status, 503, String(status));
    assertEntity("Error", answer.json);
  }
  service.answer.status = 200;
  await ask(id, "en").ok();
});

test("the matrix of languages", async () => {
  for (const where of ["instance", "statuses"]) {
    const { json } = await t.visitor.get(`/api/v1/${where}/translation_languages`);
    assert.deepEqual(json["de"].toSorted(), ["en", "fr"]);
    assert.deepEqual(json["und"].toSorted(), ["de", "en", "fr"]);
  }
  const { json } = await t.visitor.get("/api/v2/instance");
  assert.equal(json.configuration.translation.enabled, true);
});

test("remote addresses in private networks stay blocked", async () => {
  const refused = t.app.fetch.request(`${service.origin}/languages`);
  await assert.rejects(refused, { name: "FetchRefused" });
});

test("DeepL: its key, its codes, and its answers", async () => {
  const other = await startTestApp({ env: { DEEPL_API_KEY: "secret:fx" } });
  try {
    other.app.config.translation.deepl!.endpoint = service.origin;
    const person = await other.person("someone");
    const answer = await person.post("/api/v1/statuses", { status: "Guten Tag", language: "de" });
    const { json, text } = await person.post(`/api/v1/statuses/${answer.json.id}/translate`, {
      lang: "en",
    });
    assert.equal(json.content, "<p>[EN-US: Guten Tag]</p>", text);
    assert.equal(json.provider, "DeepL.com");
    assert.equal(json.detected_source_language, "de");
    const request = service.requests.find(({ path }) => path === "/v2/translate")!;
    assert.equal(request.headers.authorization, "DeepL-Auth-Key secret:fx");
    assert.deepEqual([request.body.source_lang, request.body.target_lang], ["DE", "EN-US"]);
    assert.equal(request.body.tag_handling, "html");
  } finally {
    await other.close();
  }
});

test("without a service there is nothing to translate with", async () => {
  const other = await startTestApp();
  try {
    const person = await other.person("someone");
    const answer = await person.post("/api/v1/statuses", { status: "Guten Tag" });
    assert.equal(
      (await person.post(`/api/v1/statuses/${answer.json.id}/translate`, {})).status,
      503,
    );
    assert.deepEqual((await other.visitor.get("/api/v1/statuses/translation_languages")).json, {});
    const { json } = await other.visitor.get("/api/v2/instance");
    assert.equal(json.configuration.translation.enabled, false);
  } finally {
    await other.close();
  }
});
