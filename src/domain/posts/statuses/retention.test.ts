// Old remote statuses are deleted if the administrator wants it, and only those with which nobody here has
// anything to do.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { idAt } from "../../../platform/ids/index.ts";

const OLD = Date.UTC(2020, 0, 1);

let t: TestApp;
let alice: Person;
let remote: string;
let serial = 0;

before(async () => {
  t = await startTestApp({ env: { REMOTE_STATUS_RETENTION_DAYS: "30" } });
  alice = await t.person("alice");
  const [row] = await t.write<{ id: string }[]>`
    INSERT INTO accounts (username, domain, uri, url)
    VALUES ('far', 'far.example', 'https://far.example/far', 'https://far.example/far')
    RETURNING id`;
  remote = row!.id;
  await t.write`INSERT INTO account_stats (account_id, statuses_count) VALUES (${remote}, 100)`;
});
after(() => t.close());

type Columns = Record<string, unknown>;

const add = async (columns: Columns = {}, at = OLD): Promise<string> => {
  serial += 1;
  const row = {
    id: idAt(new Date(at + serial * 1000)),
    account_id: remote,
    uri: `https://far.example/${serial}`,
    local: false,
    content: "<p>old</p>",
    visibility: "public",
    awaits_approval: false,
    created_at: new Date(at),
    ...columns,
  };
  await t.fixture(async (sql) => {
    await sql`INSERT INTO statuses ${sql(row)}`;
    await sql`INSERT INTO status_stats (status_id) VALUES (${row.id})`;
  });
  return String(row.id);
};

const run = async (): Promise<void> => {
  await t.app.jobs.add(t.app.sql, "retention.due", { what: "remote_statuses" });
  await t.runJobs();
  await t.checkInvalidation();
};

const remaining = async (ids: string[]): Promise<string[]> => {
  const rows = await t.app.sql<{ id: string }[]>`
    SELECT id FROM statuses WHERE id = ANY(${ids}::bigint[]) ORDER BY id
  `;
  return rows.map(({ id }) => id);
};

const act = async (id: string, name: string): Promise<void> => {
  const { status } = await alice.post(`/api/v1/statuses/${id}/${name}`);
  assert.equal(status, 200, name);
};

const post = async (json: Columns): Promise<string> => {
  const created = await alice.post("/api/v1/statuses", json).ok();
  return created.id;
};

const notify = (statusId: string) => t.write`
  INSERT INTO notifications (account_id, from_account_id, type, status_id)
  VALUES (${alice.accountId}, ${remote}, 'status', ${statusId})`;

const newPoll = async (id: string, voter: string): Promise<void> => {
  await t.fixture(async (sql) => {
    const [poll] = await sql<{ id: string }[]>`
      INSERT INTO polls (status_id, options, tallies, multiple)
      VALUES (${id}, '{a,b}', '{1,0}', false) RETURNING id`;
    await sql`
      INSERT INTO poll_votes (poll_id, account_id, choice) VALUES (${poll!.id}, ${voter}, 0)`;
  });
};

const newAnswer = async (id: string, accountId: string): Promise<void> => {
  await t.fixture(async (sql) => {
    await sql`INSERT INTO status_events (status_id, name, starts_at) VALUES (${id}, 'Party', now())`;
    await sql`
      INSERT INTO event_answers (status_id, account_id, answer, answered_at, uri)
      VALUES (${id}, ${accountId}, 'yes', now(), 'https://a.example/1')`;
  });
};

/** What somebody here does with a status, or has to do with it. */
const touches: Record<string, (id: string) => Promise<unknown>> = {
  favourite: (id) => act(id, "favourite"),
  bookmark: (id) => act(id, "bookmark"),
  reblog: (id) => act(id, "reblog"),
  reply: (id) => post({ status: "answer", in_reply_to_id: id }),
  mention: (id) => t.write`
    INSERT INTO mentions (status_id, account_id) VALUES (${id}, ${alice.accountId})`,
  quote: async (id) => {
    const own = await post({ status: "look" });
    await t.write`
      INSERT INTO quotes (status_id, account_id, quoted_status_id, quoted_uri, state)
      VALUES (${own}, ${alice.accountId}, ${id}, '', 'pending')`;
  },
  "quote of a local status": async (id) => {
    const own = await post({ status: "look" });
    await t.write`
      INSERT INTO quotes
        (status_id, account_id, quoted_status_id, quoted_account_id, quoted_uri, state)
      VALUES (${id}, ${remote}, ${own}, ${alice.accountId}, '', 'accepted')`;
  },
  pin: (id) => t.write`INSERT INTO status_pins (account_id, status_id) VALUES (${remote}, ${id})`,
  vote: (id) => newPoll(id, alice.accountId),
  "answer to an event": (id) => newAnswer(id, alice.accountId),
  notification: notify,
  report: async (id) => {
    await alice.post("/api/v1/reports", { account_id: remote, status_ids: [id] }).ok();
  },
  filter: async (id) => {
    const { json } = await alice.post("/api/v2/filters", { title: "f", context: ["home"] });
    await alice.post(`/api/v2/filters/${json.id}/statuses`, { status_id: id });
  },
  "direct conversation": (id) =>
    t.fixture(async (sql) => {
      const [row] = await sql<{ id: string }[]>`
        INSERT INTO account_conversations
          (account_id, conversation_id, participant_ids, last_status_id)
        VALUES (${alice.accountId}, 7, '{}', ${id}) RETURNING id`;
      await sql`
        INSERT INTO account_conversation_statuses VALUES (${row!.id}, ${id})`;
    }),
};

for (const [name, touch] of Object.entries(touches)) {
  test(`stays: ${name}`, async () => {
    const [touched, other] = [await add(), await add()];
    await touch(touched);
    await t.runJobs();
    await run();
    assert.deepEqual(await remaining([touched, other]), [touched]);
  });
}

test("stays: what is young, local, an answer to somebody here or a boost of a local status", async () => {
  const own = await post({ status: "mine" });
  const ids = [
    await add({}, Date.now() - 29 * 86_400_000),
    await add({ account_id: alice.accountId, local: true }),
    await add({ in_reply_to_account_id: alice.accountId }),
    await add({ reblog_of_id: own }),
  ];
  await run();
  assert.deepEqual(
    await remaining(ids),
    ids.toSorted((a, b) => Number(BigInt(a) - BigInt(b))),
  );
});

test("a thread goes as a whole; of one with something that stays all above it stays", async () => {
  const thread = async (conversation: number): Promise<string[]> => {
    const root = await add({ conversation_id: conversation });
    const middle = await add({ conversation_id: conversation, in_reply_to_id: root });
    const leaf = await add({ conversation_id: conversation, in_reply_to_id: middle });
    const beside = await add({ conversation_id: conversation, in_reply_to_id: root });
    return [root, middle, leaf, beside];
  };
  const [first, second] = [await thread(8), await thread(9)];
  await act(second[1]!, "favourite");
  await run();
  assert.deepEqual(await remaining([...first, ...second]), [second[0], second[1]]);
  const { json } = await t.visitor.get(`/api/v1/statuses/${second[1]!}`);
  assert.equal(json.replies_count, 0);
});

test("a thread in which somebody here took part stays", async () => {
  const [root, answer] = [await add(), await add()];
  await t.write`UPDATE statuses SET conversation_id = 10 WHERE id IN (${root}, ${answer})`;
  await post({ status: "me too", in_reply_to_id: root });
  await run();
  assert.deepEqual(await remaining([root, answer]), [root, answer]);
});

test("old boosts go with what they boost; counts follow, and no tombstone stays", async () => {
  const [original, boosted] = [await add(), await add()];
  const boost = await add({ reblog_of_id: boosted });
  const recent = await add({ reblog_of_id: original }, Date.now());
  const count = async () => {
    const { json } = await t.visitor.get(`/api/v1/accounts/${remote}`);
    return json.statuses_count as number;
  };
  const before = await count();
  await run();
  assert.deepEqual(await remaining([original, boosted, boost, recent]), [original, recent]);
  assert.equal(await count(), before - 2);
  const tombs = await t.app.sql`SELECT FROM tombstones`;
  assert.equal(tombs.length, 0);
});

test("0 days: nothing goes", async () => {
  const id = await add();
  t.app.config.retention.remoteStatusDays = 0;
  await run();
  assert.deepEqual(await remaining([id]), [id]);
  t.app.config.retention.remoteStatusDays = 30;
  await run();
  assert.deepEqual(await remaining([id]), []);
});
