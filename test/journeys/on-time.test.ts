// Scheduled posts and the ends of polls happen on time although the server was killed before: those due while
// it was down, and those due afterwards.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../src/platform/db/index.ts";
import { eventually } from "./eventually.ts";
import { journey } from "./journey.ts";
import { isSplit } from "./layouts.ts";
import { startServer } from "./server.ts";
import type { RealServer, Someone } from "./server.ts";

/** After the next start, which takes longer with several processes. */
const LATER_MS = isSplit ? 25_000 : 8000;

let server: RealServer;
let alice: Someone;
let bob: Someone;
const step = journey(() => [server]);
/** The ids of scheduled posts and of statuses with a poll, by text. */
const ids = new Map<string, string>();
/** When each is due, in milliseconds, by text. */
const due = new Map<string, number>();

before(async () => {
  server = await startServer();
  [alice, bob] = await Promise.all([server.person("alice"), server.person("bob")]);
});

after(() => server?.remove());

const schedule = async (text: string): Promise<void> => {
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await alice.post("/api/v1/statuses", { status: text, scheduled_at: at });
  ids.set(text, scheduled.id);
};

const ask = async (text: string): Promise<void> => {
  const poll = { options: ["yes", "no"], expires_in: 3600 };
  const { id, poll: created } = await alice.post("/api/v1/statuses", { status: text, poll });
  await bob.post(`/api/v1/polls/${created.id}/votes`, { choices: [0] });
  ids.set(text, id);
};

/** Makes them due sooner: the API requires at least five minutes, which is too long for a test. */
const bringForward = async (afterMs: Record<string, number>): Promise<void> => {
  const sql = connect(await server.databaseUrl(), { max: 1, application: "test" });
  try {
    for (const [text, ms] of Object.entries(afterMs)) {
      const [id, at] = [ids.get(text)!, new Date(Date.now() + ms)];
      due.set(text, at.getTime());
      await sql`UPDATE scheduled_statuses SET scheduled_at = ${at} WHERE id = ${id}`;
      await sql`UPDATE polls SET expires_at = ${at} WHERE status_id = ${id}`;
      const moved = await sql`UPDATE graphile_worker._private_jobs SET run_at = ${at}
        WHERE key IN (${`status.scheduled:${id}`}, ${`poll.ended:${id}`}) RETURNING id`;
      assert.equal(moved.length, 1, text);
    }
  } finally {
    await sql.end();
  }
};

const posted = async (text: string): Promise<any[]> => {
  const statuses: any[] = await alice.get(`/api/v1/accounts/${alice.id}/statuses?limit=40`);
  return statuses.filter(({ content }) => content === `<p>${text}</p>`);
};

const pollNotifications = async (who: Someone, text: string): Promise<any[]> => {
  const notes: any[] = await who.get("/api/v1/notifications?types[]=poll");
  return notes.filter(({ status }) => status.id === ids.get(text));
};

describe("kill -9 before the time comes", () => {
  step("posts are scheduled, polls run", async () => {
    await bob.post(`/api/v1/accounts/${alice.id}/follow`);
    await schedule("due while down");
    await schedule("due afterwards");
    await schedule("cancelled");
    await ask("ends while down");
    await ask("ends afterwards");
    await alice.delete(`/api/v1/scheduled_statuses/${ids.get("cancelled")}`);
  });

  step(
    "what was due while the server was down comes at once after the start, and once",
    async () => {
      await bringForward({
        "due while down": 1500,
        "ends while down": 1500,
        "due afterwards": LATER_MS,
        "ends afterwards": LATER_MS,
      });
      await server.kill();
      await sleep(2000);
      await server.start();
      const [post] = await eventually("the post", async () => {
        const statuses = await posted("due while down");
        return statuses.length > 0 ? statuses : null;
      });
      await eventually("the post at home", async () => {
        const home: any[] = await bob.get("/api/v1/timelines/home");
        return home.some(({ id }) => id === post.id);
      });
      for (const who of [alice, bob]) {
        const [note] = await eventually("the end of the poll", async () => {
          const notifications = await pollNotifications(who, "ends while down");
          return notifications.length > 0 ? notifications : null;
        });
        assert.deepEqual([note.status.poll.expired, note.status.poll.votes_count], [true, 1]);
      }
    },
  );

  step("what was due later comes at its time, not before", async (context) => {
    const early = Date.now() < due.get("due afterwards")! - 1000;
    if (early) assert.deepEqual(await posted("due afterwards"), []);
    const [post] = await eventually("the post", async () => {
      const statuses = await posted("due afterwards");
      return statuses.length > 0 ? statuses : null;
    });
    const late = new Date(post.created_at).getTime() - due.get("due afterwards")!;
    context.diagnostic(`${late} ms after its time`);
    assert.ok(late >= 0, `${late} ms`);
    await eventually("the end of the poll", async () => {
      const notifications = await pollNotifications(bob, "ends afterwards");
      return notifications.length > 0;
    });
  });

  step("each came once, and what was cancelled never", async () => {
    await sleep(1500);
    for (const text of ["due while down", "due afterwards"]) {
      assert.equal((await posted(text)).length, 1, text);
    }
    for (const text of ["ends while down", "ends afterwards"]) {
      assert.equal((await pollNotifications(bob, text)).length, 1, text);
    }
    assert.deepEqual(await posted("cancelled"), []);
    assert.deepEqual(await alice.get("/api/v1/scheduled_statuses"), []);
  });
});
