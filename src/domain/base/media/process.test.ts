// An upload whose processing fails: it is tried again, unless its file is gone.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { formOf, picture } from "../../../../test/files.ts";
import { onMediaUploaded } from "./process.ts";

let server: TestApp;
let alice: Person;
let ids: string[];

before(async () => {
  server = await startTestApp({ worker: false });
  alice = await server.person("alice");
  // Each waits for a worker before it is answered.
  ids = await Promise.all([upload(), upload()]);
});
after(() => server.close());

const upload = async (): Promise<string> => {
  const multipart = formOf(await picture("png", 20, 20));
  return (await alice.post("/api/v2/media", multipart).ok(202)).id;
};

const statusOf = async (id: string): Promise<number> =>
  (await alice.get(`/api/v1/media/${id}`)).status;

const run = (id: string) => onMediaUploaded(server.app, { id }, { attempts: 1, maxAttempts: 25 });

/** While `work` runs, nothing can be stored, for this reason. */
const failing = async (fault: object, work: () => Promise<void>): Promise<void> => {
  const { storage } = server.app;
  const { put } = storage;
  storage.put = () => Promise.reject(Object.assign(new Error("no"), fault));
  await work().finally(() => (storage.put = put));
};

test("while the socket of the database is away it waits", async () => {
  const id = ids[0]!;
  await failing({ code: "ENOENT", syscall: "connect" }, () => assert.rejects(run(id)));
  assert.equal(await statusOf(id), 206);
  await run(id);
  assert.equal(await statusOf(id), 200);
});

test("without its file it is given up", async () => {
  const id = ids[1]!;
  await failing({ code: "ENOENT", syscall: "open" }, () => run(id));
  assert.equal(await statusOf(id), 422);
});
