// What errors of files and connections say to people: words, and never the codes of the system.

import assert from "node:assert/strict";
import { mkdir, open, readFile } from "node:fs/promises";
import { lookup } from "node:dns/promises";
import { createServer, connect } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { ConfigError } from "./errors.ts";
import { isOfSystem, reasonOf } from "./reason.ts";
import { reasonIn } from "./text/spoken.ts";
import { says, textsIn } from "./text/texts.ts";

const failed = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => assert.fail("it succeeded"),
    (error: Error) => error,
  );

const refused = async (): Promise<Error> => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return failed(
    new Promise((_resolve, reject) => connect(port, "127.0.0.1").once("error", reject)),
  );
};

test("what the system itself refuses is said in words, with the file or host", async () => {
  const real: [Promise<Error>, RegExp][] = [
    [failed(mkdir("/proc/nope")), /^the folder can’t be created \(\/proc\/nope\)$/],
    [failed(readFile("/nope/x")), /^there is no such file or folder \(\/nope\/x\)$/],
    [failed(open("/etc/passwd/x")), /^a part of the path is a file \(\/etc\/passwd\/x\)$/],
    [failed(readFile("/etc")), /^it is a folder/],
    [
      failed(lookup("nowhere.invalid")),
      /^(?:the host was not found|the name server doesn’t respond) \(nowhere\.invalid\)$/,
    ],
    [refused(), /^the connection was refused \(127\.0\.0\.1:\d+\)$/],
  ];
  for (const [error, words] of real) {
    assert.match(reasonOf(await error), words);
    assert.equal(isOfSystem(await error), true);
  }
  const missing = await failed(readFile("/nope/x"));
  assert.equal(reasonOf(missing, "/nope/x"), "there is no such file or folder");
});

test("causes, several errors at once, and messages without a code", () => {
  const refusal = Object.assign(new Error("connect ECONNREFUSED ::1:25"), { code: "ECONNREFUSED" });
  const several = Object.assign(new AggregateError([refusal]), { code: "ECONNREFUSED" });
  assert.equal(reasonOf(several), "the connection was refused (::1:25)");
  assert.equal(reasonOf(new Error("", { cause: refusal })), "the connection was refused (::1:25)");
  assert.equal(reasonOf(new Error("queryA ENOTFOUND x.test")), "the host was not found (x.test)");
  const tls = "C0:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:rec.c:1:";
  assert.equal(reasonOf(new Error(tls)), "the encrypted connection failed");
});

test("a reason is said in the reader's language, with its file or host; another stays", () => {
  const { t } = textsIn("de");
  const full = Object.assign(new Error("ENOSPC: no space left on device, write '/x'"), {
    code: "ENOSPC",
  });
  assert.equal(reasonIn(t, reasonOf(full)), "die Platte ist voll (/x)");
  const { message } = new ConfigError(says("reason.backup.none", { place: "/mnt (old)" }));
  assert.equal(reasonIn(t, message), "In /mnt (old) gibt es keine vollständige Sicherung.");
  assert.equal(reasonIn(t, "550 EHLO first"), "550 EHLO first");
});

test("other errors keep their words", () => {
  for (const text of ["The name is taken", "550 EHLO first", "EXOTIC: strange, stat '/x'"])
    assert.equal(reasonOf(new Error(text)), text);
  assert.equal(isOfSystem(new TypeError("x is undefined")), false);
});
