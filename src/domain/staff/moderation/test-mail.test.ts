// The test mail of the staff, and what should be in order before sign-ups open: what a mail server refuses is said in
// words that name the variable to check.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { mailsOf } from "../../../../test/mail.ts";
import type { App } from "../../../platform/app.ts";
import { createMailer } from "../../../platform/mail/create.ts";
import { englishOf } from "../../../platform/text/texts.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import { setSetting } from "../../base/settings/settings.ts";
import { openingConcerns } from "./opening.ts";
import { createRule } from "./server.ts";
import { mailProblem, sendTestMail } from "./test-mail.ts";

const BOSS = { email: "boss@example.com", username: "boss", locale: "en" };

let t: TestApp;

before(async () => {
  t = await startTestApp();
});
after(() => t.close());

/** A mail server that answers each command with what its first word says here, and 250 otherwise. */
const mailServer = async (answers: Record<string, string> = {}): Promise<Server> => {
  const server = createServer((socket) => {
    let isText = false;
    socket.on("error", () => {});
    socket.write("220 test\r\n");
    socket.on("data", (data) => {
      const lines = data.toString();
      if (isText && !lines.endsWith("\r\n.\r\n")) return;
      const word = isText ? "." : lines.split(/\s/, 1)[0]!.toUpperCase();
      isText = word === "DATA";
      socket.write(`${answers[word] ?? (isText ? "354 go on" : "250 ok")}\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
};

/** The app as it would be with this mail server. */
const sendingBy = (port: number, login: string | null = null): App => {
  const { app } = t;
  const mail = { ...app.config.mail, server: "127.0.0.1", port, login, password: "x" };
  const config = { ...app.config, mail };
  return Object.create(app, {
    config: { value: config },
    mail: { value: createMailer(config, app.log) },
  }) as App;
};

const withServer = async (
  answers: Record<string, string>,
  work: (port: number) => Promise<void>,
): Promise<void> => {
  const server = await mailServer(answers);
  try {
    await work((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
};

describe("a test mail", () => {
  test("goes to who asks for it, in their language", async () => {
    await sendTestMail(t.app, COMMAND_LINE, { ...BOSS, locale: "de" });
    assert.match(mailsOf(t).at(-1)!, /To: boss@example\.com[^]*Das ist ein Test/);
  });

  test("arrives at a mail server that takes it", () =>
    withServer({}, async (port) => {
      const app = sendingBy(port);
      await sendTestMail(app, COMMAND_LINE, BOSS);
      assert.equal(await mailProblem(app), null);
      app.mail.close();
    }));

  test("says which variable to check, and what the mail server answered", async () => {
    const refusals: [Record<string, string>, string | null, RegExp][] = [
      [
        { EHLO: "250-test\r\n250 AUTH PLAIN", AUTH: "535 no such user" },
        "boss",
        /SMTP_LOGIN and SMTP_PASSWORD[^]*535 no such user/,
      ],
      [{ MAIL: "550 who are you" }, null, /SMTP_FROM_ADDRESS[^]*550 who are you/],
      [{ RCPT: "550 nobody here" }, null, /boss@example\.com[^]*550 nobody here/],
      [{ ".": "554 spam" }, null, /rejected the text[^]*554 spam/],
    ];
    for (const [answers, login, sentence] of refusals)
      await withServer(answers, async (port) => {
        const app = sendingBy(port, login);
        await assert.rejects(sendTestMail(app, COMMAND_LINE, BOSS), { message: sentence });
        app.mail.close();
      });
  });

  test("says so where nothing answers, and where there is no such server", async () => {
    let gone = 0;
    await withServer({}, async (port) => void (gone = port));
    const app = sendingBy(gone);
    await assert.rejects(sendTestMail(app, COMMAND_LINE, BOSS), {
      message: /Nothing responds at 127\.0\.0\.1:\d+\. Check SMTP_SERVER and SMTP_PORT/,
    });
    assert.match(englishOf((await mailProblem(app))!), /Nothing responds/);
  });

  test("is not for those who may not change settings", async () => {
    await assert.rejects(sendTestMail(t.app, { ...COMMAND_LINE, permissions: 0 }, BOSS), {
      meaning: "forbidden",
    });
  });
});

test("who opens sign-ups hears of missing email and rules, and only then", async () => {
  const concerns = async (mode: "open" | "approved" | "closed", app: App = t.app) =>
    (await openingConcerns(app, mode)).map(({ key }) => key);
  assert.deepEqual(await concerns("open"), ["staff.opening.no_mail", "staff.opening.no_rules"]);
  assert.deepEqual(await concerns("closed"), []);
  await createRule(t.app, COMMAND_LINE, { text: "Be kind", hint: "" });
  assert.deepEqual(await concerns("approved"), ["staff.opening.no_mail"]);
  await withServer({}, async (port) => {
    const app = sendingBy(port);
    assert.deepEqual(await concerns("open", app), []);
    app.mail.close();
  });
  await setSetting(t.app, "registrations", "approved");
  assert.deepEqual(await concerns("open"), []);
});
