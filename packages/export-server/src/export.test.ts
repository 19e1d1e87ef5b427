// An export of a server where everything was used, compared field by field with what docs/EXPORT.md says.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { after, afterEach, before, mock, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { extract } from "tar-stream";
import { enterCommandLine } from "../../../test/command-line.ts";
import { picture } from "../../../test/files.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { run } from "../../../src/cli/run.ts";
import { createDomainAllow } from "../../../src/domain/staff/moderation/blocks.ts";
import { COMMAND_LINE } from "../../../src/domain/base/roles/permissions.ts";
import { parseCsv } from "../../../src/platform/text/csv.ts";

const root = mkdtempSync(join(tmpdir(), "rookery-export-"));
const PROGRAM = join(import.meta.dirname, "../../../bin/rookery.ts");
let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
let leaveCommandLine: () => void;

const rookery = async (...words: string[]): Promise<{ out: string; err: string; code: number }> => {
  const lines = { out: [] as string[], err: [] as string[] };
  mock.method(console, "log", (line: string) => lines.out.push(line));
  mock.method(console, "error", (line: string) => lines.err.push(line));
  process.exitCode = 0;
  await run(["node", "rookery", ...words]);
  const code = Number(process.exitCode);
  process.exitCode = 0;
  mock.restoreAll();
  return { out: lines.out.join("\n"), err: lines.err.join("\n"), code };
};

const upload = async (who: Person, description: string): Promise<string> => {
  const multipart = new FormData();
  multipart.set("file", new Blob([new Uint8Array(await picture("png"))]), "a.png");
  multipart.set("description", description);
  const answer = await who.post("/api/v2/media", multipart);
  await t.runJobs();
  return answer.json.id;
};

const post = (who: Person, status: string, more: object = {}) =>
  who.post("/api/v1/statuses", { status, ...more }).ok();

const writePosts = async () => {
  const media = await upload(alice, "halves");
  const shown = await post(alice, "look #field", { media_ids: [media], spoiler_text: "colours" });
  await post(alice, "more", { in_reply_to_id: shown.id, visibility: "private" });
  await post(alice, "which?", { poll: { options: ["a", "b"], expires_in: 3600 } });
  await post(alice, "all?", { poll: { options: ["a", "b"], expires_in: 3600, multiple: true } });
  const event = { name: "Party", starts_at: "2031-05-01T18:00:00Z", place: "Barn" };
  await post(alice, "come", { event, spoiler_text: "noise" });
  const edited = await post(alice, "first words");
  await alice.put(`/api/v1/statuses/${edited.id}`, { status: "last words" }).ok();
  await post(alice, "*in Markdown*", { content_type: "text/markdown" });
  await alice.post(`/api/v1/statuses/${edited.id}/pin`).ok();
  await post(alice, "@bob only you", { visibility: "direct" });
  const other = await post(bob, "by bob");
  await post(alice, "see", { quoted_status_id: other.id });
  for (const act of ["reblog", "favourite", "bookmark"]) {
    await alice.post(`/api/v1/statuses/${other.id}/${act}`).ok();
  }
  const secret = await upload(bob, "for alice");
  await post(bob, "@alice a secret", { visibility: "direct", media_ids: [secret] });
  await post(bob, "@carol not for alice", { visibility: "direct" });
  await post(bob, "@alice for all", { visibility: "public" });
  // Who blocks somebody has no posts for them any more, here as everywhere.
  await post(carol, "@alice taken back", { visibility: "direct" });
  await carol.post(`/api/v1/accounts/${alice.accountId}/block`).ok();
  await upload(alice, "not posted yet");
  await alice
    .post("/api/v1/statuses", {
      status: "later",
      scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
    })
    .ok();
  await alice.post("/api/v1/drafts", { statuses: [{ status: "begun" }] }).ok();
};

const useLists = async () => {
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`, { languages: ["de", "en"] }).ok();
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
  await alice.post(`/api/v1/accounts/${bob.accountId}/note`, { comment: "met, in Graz" }).ok();
  await alice.post(`/api/v1/accounts/${bob.accountId}/endorse`).ok();
  await alice.post(`/api/v1/accounts/${carol.accountId}/block`).ok();
  const dora = await t.person("dora");
  await alice.post(`/api/v1/accounts/${dora.accountId}/mute`, { notifications: false }).ok();
  await alice.post("/api/v1/domain_blocks", { domain: "bad.example" });
  await alice.post("/api/v1/groups", { name: "moss", note: "Green", rules: ["Be kind."] }).ok();
  const list = await alice.post("/api/v1/lists", { title: "friends, old" }).ok();
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] }).ok();
  await alice
    .post("/api/v2/filters", {
      title: "no ads",
      context: ["home"],
      keywords_attributes: [{ keyword: "advert", whole_word: true }],
    })
    .ok();
  await alice.post("/api/v1/tags/Gardening/follow").ok();
  await alice.post("/api/v1/tags/Rain/mute").ok();
  await alice.post("/api/v1/featured_tags", { name: "field" }).ok();
  await alice.post("/api/v1/collections", { name: "people", description: "good ones" }).ok();
  await alice
    .patch("/api/v1/accounts/update_credentials", {
      display_name: "Alice",
      note: "about me",
      fields_attributes: [{ name: "site", value: "example" }],
    })
    .ok();
  const multipart = new FormData();
  multipart.set("avatar", new Blob([new Uint8Array(await picture("png"))]), "a.png");
  multipart.set("header", new Blob([new Uint8Array(await picture("png"))]), "b.png");
  await alice.patch("/api/v1/accounts/update_credentials", multipart);
};

const moderate = async () => {
  const emoji = join(root, "blob.png");
  await writeFile(emoji, await picture("png"));
  const terms = join(root, "terms.txt");
  await writeFile(terms, "Be kind.");
  await createDomainAllow(t.app, COMMAND_LINE, "good.example");
  for (const line of [
    "domain-blocks add spam.example --severity suspend",
    "email-domain-blocks add mail.example",
    "ip-blocks add 192.0.2.0/24 --severity no_access",
    "settings set title Birds",
    `emojis add blob ${emoji} --category round`,
    `terms publish 2099-01-31 ${terms}`,
  ]) {
    assert.equal((await rookery(...line.split(" "))).code, 0, line);
  }
  await rookery("rules", "add", "No spam", "--hint", "None at all");
};

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
  leaveCommandLine = enterCommandLine(t);
  await writePosts();
  await useLists();
  await moderate();
  await t.runJobs();
});
after(async () => {
  leaveCommandLine();
  await t.close();
  rmSync(root, { recursive: true, force: true });
});
afterEach(() => mock.restoreAll());

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true }))
    .filter((path) => statSync(join(folder, path)).isFile())
    .toSorted();

type Section = { files: string[]; fields: Map<string, string> };

/** The page: each section's files, with the fields of its table. */
const documented = (): Section[] => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/EXPORT.md"), "utf8");
  return page
    .split(/^##+ /m)
    .slice(1)
    .map((section) => {
      const prose = section.replace(/^\|.*$/gm, "");
      const files = [...prose.matchAll(/`((?:export|server\/|people\/NAME\/)[\w./]*\.\w+)`/g)];
      const rows = [...section.matchAll(/^\| (`.*?`) \| (.*)\|$/gm)].flatMap(([, names, meaning]) =>
        [...names!.matchAll(/`([^`]+)`/g)].map(([, name]): [string, string] => [name!, meaning!]),
      );
      return { files: files.map(([, file]) => file!), fields: new Map(rows) };
    });
};

/** What a section says of this file. */
const fieldsOf = (sections: Section[], file: string): Map<string, string> => {
  const section = sections.find(({ files }) => files.includes(file));
  assert.ok(section, `${file} is not in EXPORT.md`);
  return section.fields;
};

/** The names of members, and below those that the page names members of. */
const namesIn = (value: unknown, fields: Map<string, string>, above = ""): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, fields, above));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = `${above}${name}`;
    const isDeep = [...fields.keys()].some((field) => field.startsWith(`${path}.`));
    const below = isDeep ? namesIn(member, fields, `${path}.`) : [];
    return fields.has(path) || !isDeep ? [path, ...below] : below;
  });
};

const compare = (file: string, names: string[], fields: Map<string, string>): void => {
  const present = new Set(names);
  const undocumented = [...present].filter((name) => !fields.has(name));
  assert.deepEqual(undocumented, [], `${file}: not in EXPORT.md`);
  const missing = [...fields].filter(
    ([name, meaning]) => !present.has(name) && !meaning.startsWith("If "),
  );
  assert.deepEqual(missing, [], `${file}: not in the export`);
};

const itemsOf = (value: any): unknown =>
  Array.isArray(value?.orderedItems) ? value.orderedItems : value;

const checkFile = (sections: Section[], folder: string, path: string): void => {
  const file = path.replace(/^people\/\w+\//, "people/NAME/");
  const content = readFileSync(join(folder, path), "utf8");
  if (file.endsWith(".csv")) {
    const fields = fieldsOf(sections, file);
    const [headings = []] = parseCsv(content);
    // Without headings: the section says so.
    if (fields.size > 0) compare(file, headings, fields);
    return;
  }
  const value: any = JSON.parse(content);
  if (value.orderedItems) {
    const { orderedItems, totalItems, type } = value;
    assert.deepEqual([type, totalItems], ["OrderedCollection", orderedItems.length], path);
  }
  if (file.endsWith("/received.json")) {
    const all = fieldsOf(sections, "people/NAME/outbox.json");
    const without = /without\s+(`object[^]*?)\.\s/.exec(
      readFileSync(join(import.meta.dirname, "../../../docs/EXPORT.md"), "utf8"),
    )![1]!;
    const fields = new Map([...all].filter(([name]) => !without.includes(`\`${name}\``)));
    return compare(file, namesIn(value.orderedItems, fields), fields);
  }
  const fields = fieldsOf(sections, file);
  if (file !== "server/settings.json") compare(file, namesIn(itemsOf(value), fields), fields);
};

const json = (folder: string, path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"));

test("every file and field of an export is in EXPORT.md, and all that is there is in the export", async () => {
  const folder = join(root, "whole");
  const { out, code } = await rookery("export", folder, "--with-secrets");
  assert.equal(code, 0, out);
  assert.match(out, /^4 people of /);
  const sections = documented();
  const paths = await filesIn(folder);
  const texts = paths.filter(
    (path) =>
      /\.(?:json|csv)$/.test(path) &&
      !/\/media_attachments\//.test(path) &&
      !/bob|carol|dora/.test(path),
  );
  for (const path of texts) checkFile(sections, folder, path);
  const named = sections.flatMap(({ files }) => files).map((path) => path.replace("NAME", "alice"));
  assert.deepEqual(named.toSorted(), texts);
});

test("a person's files have what they wrote, received and uploaded, and nothing of others", async () => {
  const folder = join(root, "whole");
  const of = (name: string) => json(folder, `people/alice/${name}`);
  const contents = (name: string) =>
    of(name).orderedItems.map(({ object }: any) => object.content ?? object);
  const [all, received] = [contents("outbox.json").join(), contents("received.json")];
  for (const words of ["look", "more", "which?", "last words", "only you", "see"]) {
    assert.match(all, new RegExp(words.replace("?", "\\?")));
  }
  assert.equal(received.length, 1);
  assert.match(received[0], /a secret/);
  assert.deepEqual(
    of("edits.json").map(({ text: words }: any) => words),
    ["first words"],
  );
  const files = of("media_attachments.json");
  assert.deepEqual(
    files.map(({ description, post: uri }: any) => [description, uri !== null]),
    [
      ["halves", true],
      ["not posted yet", false],
    ],
  );
  const [attachment] = of("received.json").orderedItems[0].object.attachment;
  assert.equal(attachment.name, "for alice");
  for (const path of [
    ...files.map((file: any) => file.path),
    attachment.url,
    of("actor.json").icon.url,
  ]) {
    assert.ok(statSync(join(folder, "people/alice", path)).size > 0, path);
  }
  const cells = (name: string) =>
    parseCsv(readFileSync(join(folder, "people/alice", name), "utf8"));
  const host = t.app.config.site.localDomain;
  assert.deepEqual(cells("account_notes.csv")[1], [`bob@${host}`, "met, in Graz"]);
  assert.deepEqual(cells("lists.csv"), [["friends, old", `bob@${host}`]]);
  assert.deepEqual(cells("followed_tags.csv"), [["Gardening"]]);
  assert.deepEqual(cells("muted_tags.csv"), [["Rain"]]);
  assert.deepEqual(of("settings.json").profile.fields, [{ name: "site", value: "example" }]);
  assert.equal(of("scheduled_statuses.json")[0].params.status, "later");
  assert.deepEqual(of("drafts.json")[0].statuses, [{ status: "begun" }]);
  const emoji = json(folder, "server/emojis.json")[0];
  assert.ok(existsSync(join(folder, "server", emoji.path)));
  assert.equal(json(folder, "server/settings.json").title, "Birds");
});

const SECRETS = /@example\.com|\$argon2|PRIVATE KEY/;

test("without --with-secrets there are none in it; a tar has the same files", async () => {
  const folder = join(root, "without");
  await rookery("export", folder);
  for (const path of await filesIn(folder)) {
    assert.doesNotMatch(readFileSync(join(folder, path), "latin1"), SECRETS, path);
  }
  assert.match(readFileSync(join(root, "whole/server/users.json"), "utf8"), SECRETS);
  const tar = join(root, "all.tar");
  const { out } = await rookery("export", tar, "--json");
  assert.equal(JSON.parse(out).people, 4);
  const packed: string[] = [];
  for await (const entry of createReadStream(tar).pipe(extract())) {
    packed.push(entry.header.name);
    const content = await text(entry as unknown as Readable);
    if (entry.header.name.endsWith(".json")) JSON.parse(content);
  }
  assert.deepEqual(packed.toSorted(), await filesIn(folder));
  assert.deepEqual(
    (await readdir(root)).filter((name) => name.startsWith("all.tar")),
    ["all.tar"],
  );
  assert.match((await rookery("export", tar)).err, /is there already/);
});

test("one that was interrupted goes on with the next person, and only into its own folder", async () => {
  const folder = join(root, "half");
  await mkdir(folder);
  await writeFile(join(folder, "export.json.new"), "{");
  await rookery("export", folder);
  const manifest = json(folder, "export.json");
  await writeFile(join(folder, "export.json"), JSON.stringify({ ...manifest, finished_at: null }));
  // As a kill leaves it: one person whole, one half, the others not begun.
  await writeFile(join(folder, "people/alice/mark"), "of the first run");
  await rename(join(folder, "people/bob"), join(folder, "people/bob.part"));
  await writeFile(join(folder, "people/bob.part/half"), "");
  await rm(join(folder, "people/carol"), { recursive: true });
  assert.match((await rookery("export", folder, "--with-secrets")).err, /without secrets: go on/);
  assert.equal((await rookery("export", folder)).code, 0);
  assert.deepEqual(await readdir(join(folder, "people")), ["alice", "bob", "carol", "dora"]);
  const [whole, again] = [await filesIn(join(root, "without")), await filesIn(folder)];
  assert.deepEqual(again, [...whole, "people/alice/mark"].toSorted());
  assert.notEqual(json(folder, "export.json").finished_at, null);
  assert.match((await rookery("export", folder)).err, /has the export of /);
  const other = join(root, "other");
  await mkdir(other);
  await writeFile(join(other, "mine"), "");
  assert.match((await rookery("export", other)).err, /has other files/);
  assert.match((await rookery("export", join(other, "mine"))).err, /no folder/);
});

test("a process that is killed leaves a folder that another one finishes", async () => {
  const folder = join(root, "killed");
  const child = spawn(process.execPath, [PROGRAM, "export", folder], {
    env: process.env,
    cwd: root,
  });
  const exit = once(child, "exit");
  while (child.exitCode === null && !existsSync(join(folder, "export.json"))) {
    await Promise.race([exit, sleep(20)]);
  }
  child.kill("SIGKILL");
  await exit;
  const { err, code } = await rookery("export", folder);
  // It may have been whole already.
  if (code !== 0) assert.match(err, /has the export of /);
  assert.deepEqual(await filesIn(folder), await filesIn(join(root, "without")));
});
