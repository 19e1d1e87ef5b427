// Conversions have turns by account, and what is too much of one is refused before it begins.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { formOf, longGif, picture, silentVideo, WITHOUT_FFMPEG } from "../../../../test/files.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { Unavailable, Unprocessable } from "../../../platform/errors.ts";
import { runProgram } from "../../../platform/video/run.ts";

let server: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  server = await startTestApp({ worker: false });
  [alice, bob] = await Promise.all([server.person("alice"), server.person("bob")]);
});
after(() => server.close());

const upload = async (by: Person, file: Buffer): Promise<string> => {
  const multipart = formOf(file);
  return (await by.post("/api/v2/media", multipart).ok(202)).id;
};

const lookedAt = (by: Person, id: string) => by.get(`/api/v1/media/${id}`);

/** What waits, in the order in which it is taken. */
const waiting = async (): Promise<{ task: string; id: string }[]> => [
  ...(await server.app.sql<{ task: string; id: string }[]>`
    SELECT t.identifier AS task, j.payload->>'id' AS id
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier LIKE 'media.%' ORDER BY j.priority, j.run_at, j.id
  `),
];

/** Runs the jobs of these names that wait, as a worker with one place takes them. */
const runOnly = async (name: string): Promise<void> => {
  const { jobTable } = await import("../../../jobs.ts");
  const { run } = jobTable[name as "media.uploaded"]!;
  for (const { task, id } of await waiting()) {
    if (task !== name) continue;
    await server.app.sql`
      DELETE FROM graphile_worker._private_jobs WHERE payload->>'id' = ${id}
    `;
    await run(server.app, { id }, { attempts: 1, maxAttempts: 5 });
  }
};

const ffmpegIsThere = { skip: WITHOUT_FFMPEG };

test("small GIFs of 47 billion pixels are refused before ffmpeg", ffmpegIsThere, async () => {
  const file = longGif(2800, 6000);
  assert.ok(file.length < 140_000);
  const { video } = server.app;
  const { toMp4 } = video!;
  let conversions = 0;
  video!.toMp4 = (...all) => {
    conversions += 1;
    return toMp4(...all);
  };
  const ids = await Promise.all(Array.from({ length: 2 }, () => upload(alice, file)));
  const bobs = await upload(bob, silentVideo());
  await server.runJobs();
  for (const id of ids) {
    const answer = await lookedAt(alice, id);
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.json.error, /^The GIF has too many pictures for its size/);
  }
  await lookedAt(bob, bobs).ok();
  assert.equal(conversions, 1);
  video!.toMp4 = toMp4;
});

test("a member's further files come after everybody else's first", ffmpegIsThere, async () => {
  const file = longGif(60, 5);
  const ids: string[] = [];
  const names = new Map<string, string>();
  const add = async (person: Person, name: string) => {
    const id = await upload(person, file);
    ids.push(id);
    names.set(id, name);
  };
  // At once, so that none counts without the others.
  await Promise.all([1, 2, 3].map(() => add(alice, "alice")));
  await add(bob, "bob");
  const order = async (task: string) =>
    (await waiting()).filter((job) => job.task === task).map(({ id }) => names.get(id));
  const turns = ["alice", "bob", "alice", "alice"];
  assert.deepEqual(await order("media.uploaded"), turns);
  await runOnly("media.uploaded");
  assert.deepEqual(await order("media.convert"), turns);
  await server.runJobs();
  for (const id of ids) {
    await lookedAt(names.get(id) === "bob" ? bob : alice, id).ok();
  }
});

test("short ones do not wait behind long ones, whatever a file says", ffmpegIsThere, async () => {
  // 2 billion pixels.
  const long = await upload(alice, longGif(2000, 500));
  const short = await upload(alice, silentVideo());
  await runOnly("media.uploaded");
  assert.deepEqual(await waiting(), [
    { task: "media.convert_long", id: long },
    { task: "media.convert", id: short },
  ]);
  const { video } = server.app;
  const { toMp4 } = video!;
  video!.toMp4 = (conversion, rate) => toMp4({ ...conversion, ms: 0 }, rate);
  await runOnly("media.convert");
  assert.deepEqual(
    (await waiting()).map(({ task }) => task),
    ["media.convert_long", "media.convert_long"],
  );
  await runOnly("media.convert_long");
  assert.match((await lookedAt(alice, long)).json.error, /takes too long/);
  video!.toMp4 = toMp4;
});

test("a program is ended when it has had its time of the processor", ffmpegIsThere, async () => {
  const endless = ["-v", "quiet", "-f", "lavfi", "-i", "testsrc2=size=1920x1080", "-f", "null"];
  const began = performance.now();
  await assert.rejects(runProgram("ffmpeg", [...endless, "-"], 300), /takes too long/);
  assert.ok(performance.now() - began >= 300);
});

test("a program that the system ended, as for lack of memory, says nothing of the file", async () => {
  await assert.rejects(runProgram("sh", ["-c", "kill -KILL $$"], 1000), (error: Error) => {
    assert.match(error.message, /for lack of memory/);
    return !(error instanceof Unprocessable);
  });
});

test("much of one waits in turns also where pictures are decoded at once", async () => {
  const { pictures } = server.app;
  const folder = `${server.app.config.dataDir}/uploads`;
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/source`, await picture("png", 400, 300));
  const done: string[] = [];
  const work = async (by: string, n: number) => {
    const outputs = [{ path: `${folder}/${by}-${n}`, pixels: 100 }];
    await pictures.work({ path: `${folder}/source`, by, maxPixels: 1_000_000, outputs });
    done.push(by);
  };
  // As many as there are processes may have been taken before bob came.
  const before = 2 * server.app.config.media.processes;
  const all = Array.from({ length: before + 8 }, (_, n) => work("alice", n));
  await Promise.all([...all, work("bob", 0)]);
  assert.ok(done.indexOf("bob") <= before, done.join(" "));
});

test("a picture whose process the system ended, as for lack of memory, may be tried again", async (t) => {
  if (process.platform !== "linux") return t.skip("processes are found by /proc");
  const { pictures } = server.app;
  const folder = `${server.app.config.dataDir}/uploads`;
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/other`, await picture("png", 3000, 2000));
  const work = (path: string) =>
    pictures.work({
      path: `${folder}/other`,
      by: "alice",
      maxPixels: 10_000_000,
      outputs: [{ path: `${folder}/${path}`, pixels: 1000 }],
    });
  // A process is there afterwards, and gets the next picture at once.
  await work("first");
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8")
    .trim()
    .split(" ");
  const ended = work("second");
  for (const pid of children)
    if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("pictures/child.ts"))
      process.kill(Number(pid), "SIGKILL");
  await assert.rejects(ended, Unavailable);
  assert.equal((await work("third")).width, 3000);
});
