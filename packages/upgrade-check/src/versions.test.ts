// From version to version: the kept database of each version is brought to the present, answers the questions of a
// restore drill, and what waited in it is done by the present code. `test/dump.ts` makes and enters new ones.

import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { test } from "node:test";
import { jobTable } from "../../../src/jobs.ts";
import { eventTable } from "../../../src/events.ts";
import { runDueJobs } from "../../../src/platform/jobs/worker.ts";
import { drainOutbox } from "../../../src/platform/outbox/worker.ts";
import { askAll } from "../../backup/src/drill/run.ts";
import { withThrowAway } from "../../backup/src/drill/throw-away.ts";
import type { ThrowAway } from "../../backup/src/drill/throw-away.ts";
import { DUMPS, MOST_BYTES, dumpOf, readVersions } from "../test/dump.ts";
import { checkDump } from "../test/restored.ts";

/** What jobs for other servers fail with here; any other fault is one of this version. */
const SENDS_NOTHING = /a drill sends nothing to other servers|profile link did not answer/;

type Waiting = { name: string; last_error: string | null };

const selectWaiting = async ({ app }: ThrowAway): Promise<Waiting[]> => [
  ...(await app.sql<Waiting[]>`
    SELECT task_identifier AS name, last_error FROM graphile_worker.jobs ORDER BY id
  `),
];

/** Makes everything due that waited for its time, and does it. */
const doWhatWaits = async (server: ThrowAway): Promise<void> => {
  const { app, databaseUrl } = server;
  await app.sql`
    UPDATE graphile_worker._private_jobs SET run_at = now(), attempts = 0, last_error = NULL
  `;
  await app.sql`UPDATE scheduled_statuses SET scheduled_at = now()`;
  await drainOutbox(app, eventTable);
  await runDueJobs(app, jobTable, databaseUrl);
};

const isPublished = async ({ app }: ThrowAway, text: string): Promise<boolean> => {
  const rows = await app.sql`SELECT FROM statuses WHERE text = ${text}`;
  return rows.length === 1;
};

test("each dump is small and in the table, and nothing else is", () => {
  const versions = readVersions();
  assert.equal(versions[0]!.version, "0.1.0");
  assert.deepEqual(
    readdirSync(DUMPS).toSorted(),
    [...versions.map(({ version }) => `${version}.backup`), "versions.json"].toSorted(),
  );
  for (const version of versions) assert.ok(statSync(dumpOf(version)).size <= MOST_BYTES);
});

for (const version of readVersions()) {
  test(`a database of ${version.version} becomes one of today, and answers a hundred questions`, async () => {
    const checked = await checkDump(version);
    const { signal } = new AbortController();
    await withThrowAway(
      checked,
      signal,
      () => {},
      async (server) => {
        const { questions, failures } = await askAll(server, signal, () => {});
        assert.deepEqual(failures, []);
        assert.equal(questions, 100);
        const waited = (await selectWaiting(server)).map(({ name }) => name);
        for (const name of ["status.scheduled", "poll.ended", "mute.expired"])
          assert.ok(waited.includes(name), name);
        assert.equal(await isPublished(server, "later"), false);
        await doWhatWaits(server);
        const failed = await selectWaiting(server);
        assert.deepEqual(
          failed.filter(({ last_error: error }) => error && !SENDS_NOTHING.test(error)),
          [],
        );
        assert.equal(await isPublished(server, "later"), true);
      },
    );
  });
}
