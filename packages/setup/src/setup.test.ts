// A set-up as it is asked on a terminal, by lines of a program, and by options of a machine; and what it writes.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { after, test } from "node:test";
import { parseEnv, stripVTControlCharacters } from "node:util";
import { runCommand } from "../../../test/command-line.ts";
import { startS3 } from "../../../test/s3-server.ts";
import { ConfigError } from "../../../src/platform/errors.ts";
import { textsIn } from "../../../src/platform/text/texts.ts";
import type { Texts } from "../../../src/platform/text/texts.ts";
import { openDialog } from "./dialog.ts";
import { changesOf, withSettings } from "./env-file.ts";
import { runSetup } from "./setup.ts";
import type { Setup } from "./setup.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-setup-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A mail server that takes every sign-in. */
const startSmtp = async () => {
  const server = createServer((socket) => {
    socket.write("220 mail.example ESMTP\r\n");
    socket.on("data", (data) => {
      const command = data.toString().slice(0, 4).toUpperCase();
      if (command === "EHLO") socket.write("250-mail.example\r\n250 AUTH PLAIN\r\n");
      else socket.write(command === "AUTH" ? "235 welcome\r\n" : "221 bye\r\n");
    });
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
};

let files = 0;
type Typed = { lines: string[]; text?: string; setup?: Partial<Setup>; texts?: Texts };

/** Answers each question with the next line; the end of the lines is the end of the input. */
const typed = async ({ lines, text, setup = {}, texts = textsIn("en") }: Typed) => {
  const path = join(folder, `env-${(files += 1)}`);
  if (text !== undefined) writeFileSync(path, text);
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  output.on("data", (chunk) => (shown += chunk));
  const dialog = openDialog({ input, output, terminal: false }, texts);
  input.end(lines.map((line) => `${line}\n`).join(""));
  const current = { DATA_DIR: join(folder, "data"), ...(text && parseEnv(text)) };
  const run = runSetup({
    dialog,
    say: (said) => dialog.say(said),
    texts,
    current,
    chosen: {},
    names: null,
    lookup: async (name) => {
      if (name === "nowhere.social") throw new Error("queryA ENOTFOUND nowhere.social");
      return ["203.0.113.5", "2001:db8::5", "9.9.9.9"];
    },
    isChecked: true,
    path,
    ...setup,
  });
  const fault = await run.then(
    () => null,
    (error: Error) => error,
  );
  dialog.close();
  const read = () => readFileSync(path, "utf8");
  return { shown: () => shown, fault, read, path };
};

test("asks, tries each answer, asks again for what is wrong, and writes a private file", async () => {
  const smtp = await startSmtp();
  const s3 = await startS3(join(folder, "s3"));
  const { bucket, endpoint, credentials } = s3.options;
  try {
    const { fault, shown, read, path } = await typed({
      lines: [
        "",
        "not a domain",
        "nowhere.social",
        "n",
        "rookery.social",
        "127.0.0.1",
        String(smtp.port),
        "alice",
        'it\'s #1 "secret"',
        "",
        "s3",
        bucket,
        endpoint!,
        "",
        credentials!.accessKeyId,
        credentials!.secretAccessKey,
        join(folder, "data/backups"),
        "",
        join(folder, "backups"),
        "open sesame",
        "y",
      ],
    });
    assert.equal(fault, null, shown());
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(
      { ...parseEnv(read()) },
      {
        LOCAL_DOMAIN: "rookery.social",
        SMTP_SERVER: "127.0.0.1",
        SMTP_PORT: String(smtp.port),
        SMTP_LOGIN: "alice",
        SMTP_PASSWORD: 'it\'s #1 "secret"',
        S3_BUCKET: bucket,
        S3_ENDPOINT: endpoint,
        AWS_ACCESS_KEY_ID: credentials!.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
        BACKUP_TO: join(folder, "backups"),
        BACKUP_PASSPHRASE: "open sesame",
      },
    );
    for (const text of [
      /✗ A server needs a domain\./,
      /✗ LOCAL_DOMAIN must /,
      /✗ nowhere\.social leads nowhere/,
      /✓ rookery\.social leads to 203\.0\.113\.5/,
      /✓ 127\.0\.0\.1 accepts emails\./,
      /✓ Files can be stored in s3:\/\//,
      /✗ BACKUP_TO must be outside DATA_DIR/,
      /✓ Backups can be written to /,
      /! .*is on the same disk as the data/,
    ]) {
      assert.match(shown(), text);
    }
    assert.doesNotMatch(shown(), /sesame|#1/, "secrets are not shown");
  } finally {
    smtp.close();
    await s3.close();
  }
});

const BEFORE = "# mine\nLOCAL_DOMAIN=old.social\nMAX_TOOT_CHARS=1000\n\nSMTP_SERVER='mail.old'\n";

test("keeps what it does not know, and asks before it replaces anything", async () => {
  const answers = ["rookery.social", "-", "", "-"];
  const no = await typed({ lines: [...answers, ""], text: BEFORE });
  assert.match(no.fault!.message, /^Nothing was written\.$/);
  assert.equal(no.read(), BEFORE);
  const yes = await typed({ lines: [...answers, "yes"], text: BEFORE });
  assert.match(yes.shown(), /Domain \[old\.social\]: /);
  assert.match(yes.shown(), /LOCAL_DOMAIN=rookery\.social {3}\(was old\.social\)/);
  assert.match(yes.shown(), /Write this, and replace 2 settings\? \(y\/N\)/);
  assert.equal(yes.read(), "# mine\nLOCAL_DOMAIN=rookery.social\nMAX_TOOT_CHARS=1000\n\n");
  const same = await typed({ lines: ["", "", "", "-"], text: "LOCAL_DOMAIN=a.social\n" });
  assert.match(same.shown(), /already says all of this/);
});

test("the end of the input ends it, and names that are stored are not asked for", async () => {
  const { fault, path } = await typed({ lines: ["rookery.social"] });
  assert.ok(fault instanceof ConfigError);
  assert.throws(() => statSync(path));
  const names = { localDomain: "rookery.social", webDomain: "rookery.social", https: true };
  const known = await typed({ lines: ["-", "", "-"], setup: { names } });
  assert.match(known.shown(), /This is the server rookery\.social, which can’t be renamed here\./);
});

test("asks, tries, refuses and ends in the language of whoever is asked", async () => {
  const lines = ["", "kein Name", "nowhere.social", "n", "rookery.social", "-", "", "-", "ja"];
  const { fault, shown, read } = await typed({
    lines,
    text: "LOCAL_DOMAIN=old.social\n",
    texts: textsIn("de"),
    setup: { current: { DATA_DIR: join(folder, "data") } },
  });
  assert.equal(fault, null, shown());
  for (const text of [
    /^1 von 4 {2}Domain$/m,
    /✗ Ein Server braucht eine Domain\./,
    /✗ LOCAL_DOMAIN muss nur eine Domain wie social\.example sein .*, nicht „kein Name“\./,
    /✗ nowhere\.social führt nirgendwohin: der Host wurde nicht gefunden \(nowhere\.social\)\./,
    /Trotzdem behalten\? \(j\/N\)/,
    /✓ rookery\.social führt zu 203\.0\.113\.5/,
    /LOCAL_DOMAIN=rookery\.social {3}\(bisher old\.social\)/,
    /Das schreiben und 1 Einstellung ersetzen\? \(j\/N\)/,
    /Geschrieben\. Nur dieses Konto kann/,
  ])
    assert.match(shown(), text);
  assert.match(read(), /^LOCAL_DOMAIN=rookery\.social$/m);
});

test("what is written is read as it was, or refused", () => {
  const { t } = textsIn("en");
  for (const value of ["a b", "#", "it's", 'say "hi"', "back`tick", "$HOME", "p=q", "ü"]) {
    assert.equal(parseEnv(withSettings(t, "", { X: value }))["X"], value);
  }
  assert.throws(() => withSettings(t, "", { X: "'\"`" }), /X can’t be written to \.env/);
  assert.equal(withSettings(t, "X=1\nY=2\nX=3", { X: "4" }), "X=4\nY=2\n");
  assert.equal(withSettings(t, "export X=1\n", { X: "" }), "\n");
  assert.throws(() => withSettings(t, 'X="a\nb"\n', { X: "" }), /X on several lines/);
  assert.deepEqual(changesOf("X=1\nY=2", { X: "1", Y: "3", Z: "" }), [
    { name: "Y", before: "2", after: "3" },
  ]);
});

const ROOKERY = join(import.meta.dirname, "../../../bin/rookery.ts");

/** Runs the command in a folder of its own; `typed`: on a terminal. */
const command = async (
  at: string,
  args: string[],
  lines: string[] | null = null,
  locale: NodeJS.ProcessEnv = {},
) => {
  mkdirSync(join(folder, at), { recursive: true });
  const words = [process.execPath, ROOKERY, ...args];
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const [program, ...rest] = lines ? ["script", "-qec", quoted, "/dev/null"] : words;
  const child = spawn(program!, rest, {
    cwd: join(folder, at),
    env: { PATH: process.env["PATH"], TERM: "dumb", SMTP_PASSWORD: "", ...locale },
  });
  let output = "";
  let answered = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
    // Whoever types waits for the question, once for each.
    const plain = stripVTControlCharacters(output);
    if (!plain.endsWith(": ") || plain.length === answered || !lines?.length) return;
    answered = plain.length;
    child.stdin.write(`${lines.shift()}\r`);
  });
  child.stderr.on("data", (chunk: Buffer) => (output += chunk));
  const late = setTimeout(() => child.kill("SIGKILL"), 60_000);
  await once(child, "close");
  clearTimeout(late);
  return { output, code: child.exitCode };
};

test("by options, with the owner's account, on a new server and on one that is there", async () => {
  const nobody = await command("machine", ["setup"]);
  assert.match(nobody.output, /^rookery: There is no terminal to ask on\. Use --yes/);
  assert.equal(nobody.code, 1);
  const german = await command("machine", ["setup"], null, { LANG: "de_AT.UTF-8" });
  assert.match(german.output, /^rookery: Es gibt kein Terminal zum Fragen\. Nimm --yes/);
  const wrong = [
    "setup",
    "--yes",
    "--domain",
    "localhost",
    "--smtp-server",
    "127.0.0.1",
    "--smtp-port",
    "1",
  ];
  const refused = await command("machine", wrong);
  assert.match(refused.output, /127\.0\.0\.1:1 doesn’t accept emails: .* Nothing was written/s);
  assert.throws(() => statSync(join(folder, "machine/.env")));
  const options = ["setup", "--yes", "--no-checks", "--domain", "x.social"];
  const backup = ["--backup-to", join(folder, "machine-backups")];
  const owner = ["--owner", "alice", "--owner-email", "alice@x.social"];
  const result = await command("machine", [...options, ...backup, ...owner]);
  assert.equal(result.code, 0, result.output);
  assert.match(result.output, /@alice is the owner\. New password: \S{16}/);
  assert.equal(
    readFileSync(join(folder, "machine/.env"), "utf8"),
    `LOCAL_DOMAIN=x.social\nBACKUP_TO=${join(folder, "machine-backups")}\n`,
  );
  const again = await command("machine", [...options.slice(0, -1), "y.social"]);
  assert.match(again.output, /This is the data of the server x\.social/);
  assert.equal(again.code, 1);
});

test("a database whose host does not exist is refused in a sentence", async () => {
  const env = { DATABASE_URL: "postgres://x@nowhere.invalid/x" };
  const words = ["setup", "--yes", "--no-checks", "--domain", "x.social"];
  const { code, output } = await runCommand(env, words);
  assert.equal(code, 1);
  assert.match(
    output,
    /^rookery: The database postgres:\/\/nowhere\.invalid\/x cannot be used: the (?:host|name server) .*\.$/,
  );
});

test("on a terminal: asks for the owner in the end, and does not show a password", async () => {
  const lines = ["x.social", "127.0.0.1", "1", "me", "hidden words", "", "", "-", "", ""];
  const { output, code } = await command("person", ["setup", "--no-checks"], lines);
  assert.equal(code, 0, output);
  assert.match(output, /Your account/);
  assert.match(output, /The first start prints a link/);
  assert.doesNotMatch(output, /hidden/);
  assert.match(
    readFileSync(join(folder, "person/.env"), "utf8"),
    /^SMTP_PASSWORD='hidden words'$/m,
  );
});

test("whoever ends it is told what has been written", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  let asked = "";
  output.on("data", (chunk) => (asked += chunk));
  const dialog = openDialog({ input, output, terminal: false }, textsIn("en"));
  input.end();
  await assert.rejects(dialog.ask("setup.owner.name"), /ended, and nothing was written/);
  // What is said then has a line of its own.
  assert.match(asked, /Username: \n$/);
  dialog.wrote(".env");
  await assert.rejects(
    dialog.ask("setup.owner.name"),
    /The set-up was ended\. \.env is written\. /,
  );
  const lines = ["y.social", "", "", "-", "", "\u0003"];
  const { output: shown, code } = await command("leaver", ["setup", "--no-checks"], lines);
  assert.equal(code, 1, shown);
  assert.ok(statSync(join(folder, "leaver/.env")).isFile());
  assert.doesNotMatch(shown, /nothing was written/);
  assert.match(shown, /\.env is written/);
});
