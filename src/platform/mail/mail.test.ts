// Mail: written to a folder without a server, sent by SMTP with one (a real conversation on loopback).

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { FullConfig } from "../config/config.ts";
import { readConfig } from "../config/config.ts";
import type { Env } from "../config/parse.ts";
import { createLogger } from "../log/index.ts";
import { createMailer } from "./create.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-mail-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const lines: Record<string, any>[] = [];
const mailer = (env: Env) =>
  createMailer(
    readConfig({ LOCAL_DOMAIN: "social.example", DATA_DIR: folder, ...env }) as FullConfig,
    createLogger(
      { level: "info", pretty: false },
      { write: (line) => void lines.push(JSON.parse(line)) },
    ),
  );

/** The headers of a message file. */
const headersOf = (message: string): string => message.split("\r\n\r\n", 1)[0]!;

test("without a server each mail is a file that only its owner may read, and the log names it", async () => {
  const { send, close } = mailer({});
  await send({
    to: "alice@example.com",
    subject: "Grüße",
    text: "Zeile 1\nein Link: https://x/?a=b",
    html: "<p>Zeile 1</p>",
  });
  await send({ to: "bob@example.com", subject: "Two", text: "2", html: "2" });
  close();
  const files = readdirSync(join(folder, "mail")).toSorted();
  assert.equal(files.length, 2);
  assert.equal(statSync(join(folder, "mail")).mode & 0o777, 0o700);
  for (const file of files) {
    assert.match(file, /^\d+-[\w]+\.eml$/);
    assert.equal(statSync(join(folder, "mail", file)).mode & 0o777, 0o600);
    assert.ok(lines.some((line) => line["file"] === join("mail", file)));
  }
  const text = readFileSync(join(folder, "mail", files[0]!), "utf8");
  assert.match(text, /^From: notifications@social\.example/m);
  assert.match(text, /^To: alice@example\.com/m);
  assert.match(text, /^Subject: =\?UTF-8\?/m);
  assert.match(text, /https:\/\/x\/\?a=3Db|https:\/\/x\/\?a=b/);
  assert.doesNotMatch(JSON.stringify(lines), /alice@|Link/);
});

test("every subject names the server, once", async () => {
  const { send, close } = mailer({ DATA_DIR: join(folder, "named") });
  const rest = { to: "alice@example.com", text: ".", html: "." };
  await send({ subject: "@bob mentioned you", ...rest });
  await send({ subject: "Reset your password for social.example", ...rest });
  close();
  const names = readdirSync(join(folder, "named", "mail")).toSorted();
  const subjects = names.map((name) => {
    const message = readFileSync(join(folder, "named", "mail", name), "utf8");
    return /^Subject: (.*)\r$/m.exec(message)![1];
  });
  assert.deepEqual(subjects, [
    "@bob mentioned you - social.example",
    "Reset your password for social.example",
  ]);
});

test("neither subject nor recipient can add headers or recipients", async () => {
  const { send, close } = mailer({ DATA_DIR: join(folder, "hostile") });
  const mail = { subject: "Hi\r\nBcc: eve@example.com\r\n\r\nbody", text: ".", html: "." };
  await send({ ...mail, to: "alice@example.com, eve@example.com" });
  await send({ ...mail, to: "alice@example.com\r\nBcc: eve@example.com" });
  close();
  const files = readdirSync(join(folder, "hostile", "mail"));
  assert.equal(files.length, 2);
  for (const file of files) {
    const headers = headersOf(readFileSync(join(folder, "hostile", "mail", file), "utf8"));
    assert.doesNotMatch(headers, /^(?:Bcc|Cc):/im);
    assert.doesNotMatch(headers, /^To:.*[ ,<]eve@example\.com/im);
  }
});

type Session = { commands: string[]; message: string };

/** Speaks just enough SMTP (RFC 5321); `refuse` answers MAIL FROM with a temporary error. */
const startSmtp = async (refuse = false) => {
  const sessions: Session[] = [];
  const speak = (socket: Socket): void => {
    const session: Session = { commands: [], message: "" };
    sessions.push(session);
    let inData = false;
    let rest = "";
    const reply = (text: string) => socket.write(`${text}\r\n`);
    const answer = (line: string): void => {
      session.commands.push(line);
      if (/^EHLO/i.test(line)) reply("250-here\r\n250 AUTH PLAIN");
      else if (/^AUTH PLAIN/i.test(line)) reply("235 ok");
      else if (/^MAIL/i.test(line) && refuse) reply("451 later");
      else if (/^DATA/i.test(line)) {
        inData = true;
        reply("354 go on");
      } else if (/^QUIT/i.test(line)) {
        reply("221 bye");
        socket.end();
      } else reply("250 ok");
    };
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      rest += String(chunk);
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (!inData) answer(line);
        else if (line === ".") {
          inData = false;
          reply("250 taken");
        } else session.message += `${line}\n`;
      }
    });
    reply("220 here");
  };
  const server = createServer(speak);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port: String(port), sessions, stop: () => server.close() };
};

test("with a server mail goes there, with the login and sender that are set", async () => {
  const smtp = await startSmtp();
  const { send, close } = mailer({
    SMTP_SERVER: "127.0.0.1",
    SMTP_PORT: smtp.port,
    SMTP_LOGIN: "me",
    SMTP_PASSWORD: "s3cret",
    SMTP_FROM_ADDRESS: "Our Town <town@social.example>",
  });
  await send({ to: "alice@example.com", subject: "Hello", text: "Body", html: "<p>Body</p>" });
  close();
  smtp.stop();
  const [{ commands, message }] = smtp.sessions as [Session];
  const login = Buffer.from("\0me\0s3cret").toString("base64");
  assert.ok(commands.includes(`AUTH PLAIN ${login}`));
  assert.ok(commands.some((line) => line.startsWith("MAIL FROM:<town@social.example>")));
  assert.deepEqual(
    commands.filter((line) => line.startsWith("RCPT")),
    ["RCPT TO:<alice@example.com>"],
  );
  assert.match(message, /^From: Our Town <town@social\.example>$/m);
  assert.match(message, /^Subject: Hello - social\.example$/m);
  assert.match(message, /\n\nBody\n/);
});

test("mail that was not accepted is an error, so that it is retried", async () => {
  const mail = { to: "alice@example.com", subject: "Hello", text: "Body", html: "<p>Body</p>" };
  const smtp = await startSmtp(true);
  const refused = mailer({ SMTP_SERVER: "127.0.0.1", SMTP_PORT: smtp.port });
  await assert.rejects(refused.send(mail), /451/);
  refused.close();
  smtp.stop();
  const nobody = mailer({ SMTP_SERVER: "127.0.0.1", SMTP_PORT: "1" });
  await assert.rejects(nobody.send(mail), /ECONNREFUSED/);
  nobody.close();
});
