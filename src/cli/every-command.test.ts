// Every command, as the examples of its help are typed, from nothing: a folder with no server, in which the commands
// themselves make one. A command that is new has examples (help.test.ts), and so it is tried.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { runCommand, wordsOf } from "../../test/command-line.ts";
import type { Ended } from "../../test/command-line.ts";
import { picture, storedZip } from "../../test/files.ts";
import { startEmbedded } from "../platform/db/embedded.ts";
import type { EmbeddedDatabase } from "../platform/db/embedded.ts";
import { commandsOf } from "./conventions.ts";
import { EXAMPLES as GROUPED } from "../../packages/administration/src/declare/examples.ts";
import { EXAMPLES as ALONE } from "./examples.ts";
import type { Examples } from "./examples.ts";
import { program } from "./run.ts";

const EXAMPLES: Examples = { ...ALONE, ...GROUPED };

/** What is a process or a world of its own, with the test that tries it from nothing. */
const ELSEWHERE: Record<string, string> = {
  start: "src/cli/upgrade.test.ts",
  "import mastodon": "packages/import-mastodon/src/command.test.ts",
};

/** Examples that need a service, a terminal or much time, with the test that has it. */
const LEFT_OUT: Record<string, string> = {
  setup: "packages/setup/src/setup.test.ts",
  "restore /mnt/usb/rookery/ --check --deep": "packages/backup/src/drill/drill.test.ts",
};

/** A set-up would look for this domain in the DNS; what it makes is made before everything else. */
const TYPED: Record<string, string> = {
  "restore /mnt/usb/today.backup": "restore /mnt/usb/before.backup",
};

/** What there cannot be on a new server, or is refused of the person who types it: one sentence says so. */
const REFUSED: [example: RegExp, sentence: RegExp][] = [
  [/^setup .*--smtp/, /mail\.example:587 doesn’t accept emails/],
  [/^setup .*--owner alice/, /username: This is already taken/],
  [/^plan .*--figures/, /bench\.json cannot be read/],
  [/s3:\/\/my-backups/, /s3:\/\/my-backups\/rookery\/ cannot be used: /],
  [/^restore \/mnt/, /data is not empty/],
  [/^upgrade rookery-/, /There is no rookery-/],
  [/^doctor/, /social\.example/],
  [/^accounts create alice/, /username: This is already taken/],
  [/^accounts (?:modify alice --role|disable)/, /the only owner/],
  [/^accounts (?:approve alice|reject)/, /does not wait|not waiting|approved|Record not found/],
  [/@elsewhere\.example/, /no account \S+@elsewhere\.example/],
  [/^accounts unsuspend/, /is not suspended/],
  [/^reports .* 12/, /There is no report 12\./],
  [/^groups transfer/, /no account moss_lovers/],
  [/^domain-lists add/, /was not found|doesn’t respond|cannot be read/],
  [/^domain-lists (?:sync|remove)/, /There is no domain list 3\./],
  [/^held-posts (?:approve|discard)/, /There is no (?:held post 16|such held post)\./],
  [/^canonical-email-blocks find/, /is not blocked/],
  [/^settings picture logo/, /image doesn’t exist/],
  [/^(?:accounts (?:refresh --|cull elsew)|domains purge)/, /No account of \S+ is known here/],
  [/^emojis copy/, /No such emoji of other\.example/],
  [/^domains crawl mastodon/, /No server answered/],
  [/^emojis remove/, /The emoji :other_blob: doesn’t exist/],
  [/^media move/, /set S3_BUCKET/],
  [/^domains retry/, /no pending deliveries/],
  [/^sso add/, /login\.example/],
  [/^sso (?:try|remove|scim-token)/, /There is no provider "City"/],
  [/^nodeinfo validate/, /Cannot reach/],
  [/^move-domain --forget/, /no former domain/],
];

/** In the order in which a person could type them: removed is what was added, and then the server ends. */
const isRemoval = (path: string): boolean => /(?:^| )(?:remove|undo|purge|delete)$/.test(path);
const ENDS = ["self-destruct", "move-domain"];

const folder = mkdtempSync(join(tmpdir(), "rookery-every-command-"));
const home = process.cwd();

/** In the folder: absolute places, too. */
const placed = (word: string): string => word.replace(/^(@?)\/(?=mnt|root|etc)/, `$1${folder}/`);

/** Codes of the system, which no sentence of a command has. */
const RAW = /\bE(?:NOENT|ACCES|NOTDIR|NOTFOUND|AI_AGAIN|CONNREFUSED)\b|getaddrinfo/;

const type = async (line: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> => {
  const ended = await runCommand(env, wordsOf(line).map(placed));
  assert.doesNotMatch(ended.output, RAW, line);
  return ended;
};

const succeeds = async (line: string): Promise<string> => {
  const { code, output } = await type(line);
  assert.equal(code, 0, `${line}: ${output}`);
  return output;
};

/** Files that the examples name. */
const writeFiles = async (): Promise<void> => {
  const bytes = await picture("png");
  const files: Record<string, string | Buffer> = {
    "about.html": "<p>About</p>",
    "terms.html": "<p>Terms</p>",
    "conditions.json": '{"links": 2}',
    "root/passphrase": "correct horse battery staple",
    "root/secret": "of-the-client",
    "harbour.jpg": bytes,
    "blob.png": bytes,
    "blobs.zip": storedZip("cat.png", bytes),
  };
  mkdirSync(join(folder, "etc/nginx"), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
};

before(async () => {
  process.chdir(folder);
  await writeFiles();
});

/** The database as a running server has it, which commands use; each would start and stop one otherwise. */
let running: EmbeddedDatabase | null = null;

after(async () => {
  await running?.stop();
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

test("where nothing is, one sentence says so and nothing is made", async () => {
  const { code, output } = await type("doctor");
  assert.equal(code, 1);
  assert.match(output, /^rookery: There is no database in .*data: .*\.$/);
  assert.ok(!existsSync("data"));
});

test("what the system refuses is one sentence in words, and leaves nothing behind", async () => {
  const away = { DATABASE_URL: "postgres://x@nowhere.invalid/x" };
  const refused = { DATABASE_URL: "postgres://x@127.0.0.1:1/x" };
  const lines: [string, NodeJS.ProcessEnv][] = [
    ["setup --yes --no-checks --domain x.example", away],
    ["accounts create mole --email mole@x.example", away],
    ["migrate", refused],
    ["doctor", refused],
    ["setup --yes --no-checks --domain x.example --owner me --owner-email m@x.example", refused],
    ["setup --yes --domain localhost --backup-to /proc/nope", {}],
  ];
  for (const [line, env] of lines) {
    const { code, output } = await type(line, env);
    assert.equal(code, 1, line);
    assert.match(output, /^rookery: [^]*\.$/m, line);
    assert.doesNotMatch(output, /^ {4}at /m, line);
  }
  assert.ok(!existsSync("data"));
});

test("a server is set up, and what is backed up is restored into a folder of its own", async () => {
  await succeeds("setup --yes --domain social.example --no-checks --backup-to /mnt/usb/rookery");
  const made = await succeeds(
    "setup --yes --no-checks --owner alice --owner-email alice@example.com",
  );
  assert.match(made, /@alice is the owner\. New password: \S+$/m);
  running = await startEmbedded({ dataDir: join(folder, "data"), durable: false });
  await succeeds("emojis add wave blob.png");
  await succeeds("backup /mnt/usb/before.backup");
  await succeeds("backup");
  const there = { DATA_DIR: "restored" };
  const { code, output } = await runCommand(
    there,
    wordsOf("restore /mnt/usb/rookery/").map(placed),
  );
  assert.equal(code, 0, output);
  const [, files] = /Restored into \S+; (\d+) media files\./.exec(output) ?? [];
  assert.ok(Number(files) > 0, output);
  assert.match((await runCommand(there, ["emojis", "list"])).output, /wave/);
});

const refused = new Set<RegExp>();

/** Of an example that may be refused. */
const sentenceOf = (line: string): RegExp | undefined => {
  const found = REFUSED.find(([example]) => example.test(line));
  if (found) refused.add(found[0]);
  return found?.[1];
};

/** The last id that a command of the group printed stands for the number of an example. */
const lastIds = new Map<string, string>();

const withId = (path: string, line: string): string => {
  const group = path.split(" ")[0]!;
  const id = lastIds.get(group);
  return id ? line.replace(new RegExp(`^(${path}) \\d+`), `$1 ${id}`) : line;
};

const tryExample = async (path: string, line: string): Promise<void> => {
  const typed = withId(path, TYPED[line] ?? line);
  const { code, output } = await type(typed);
  assert.doesNotMatch(output, /^ {4}at /m, `${typed}: ${output}`);
  const [, id] = /^([\w-]{6,})(?::|$)/.exec(output) ?? [];
  if (code === 0 && id && / (?:add|create)$/.test(path)) lastIds.set(path.split(" ")[0]!, id);
  if (code === 0) return;
  const sentence = sentenceOf(line);
  assert.ok(sentence, `${typed}: ${output}`);
  assert.match(output, sentence, typed);
};

const examplesOf = (path: string): string[] =>
  EXAMPLES[path]!.filter((line) => !(line.replace(/\s+# .*$/, "") in LEFT_OUT));

test("every command does what its examples say", async () => {
  const all = commandsOf(await program())
    .map(([path]) => path)
    .filter((path) => !(path in ELSEWHERE));
  for (const name of ["bob", "spammer", "painter", "news"])
    await succeeds(`accounts create ${name} --email ${name}@example.com --confirmed`);
  await succeeds("roles create Writer --permissions invite_users");
  const inOrder = [
    ...all.filter((path) => !isRemoval(path) && !ENDS.includes(path)),
    ...all.filter(isRemoval),
  ];
  for (const path of inOrder) for (const line of examplesOf(path)) await tryExample(path, line);
  await running!.stop();
  running = null;
  for (const path of ENDS) for (const line of examplesOf(path)) await tryExample(path, line);
  const stale = REFUSED.map(([example]) => example).filter((example) => !refused.has(example));
  assert.deepEqual(stale, []);
});

test("what is tried elsewhere is", () => {
  for (const path of [...Object.values(ELSEWHERE), ...Object.values(LEFT_OUT)])
    assert.ok(existsSync(join(import.meta.dirname, "../..", path)), path);
});
