// The floors of the writing scenarios: single durable INSERTs, and JSON.parse with an RSA check before each INSERT, on
// the same PostgreSQL and with the same concurrency as the scenario.

import { createPublicKey, verify } from "node:crypto";
import { connect } from "../../src/platform/db/index.ts";
import { offer } from "./process.ts";

const CONCURRENCY = Number(process.env["CONCURRENCY"]);
const sql = connect(process.env["FLOOR_DATABASE_URL"]!, { max: CONCURRENCY, application: "floor" });
const insert = (body: string) => sql`INSERT INTO bench_rows (body) VALUES (${body})`;

/** Repeats `work` on all connections until the time is over; returns the number of runs. */
const repeat = async (seconds: number, work: (index: number) => Promise<unknown>) => {
  const deadline = performance.now() + seconds * 1000;
  let count = 0;
  const lane = async () => {
    while (performance.now() < deadline) await work(count++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  return count;
};

type Signed = { body: string; text: string; signature: string; key: string };
let activities: { body: string; text: Buffer; signature: Buffer; key: string }[] = [];
const keys = new Map<string, ReturnType<typeof createPublicKey>>();

const keyOf = (pem: string) => {
  const key = keys.get(pem) ?? createPublicKey(pem);
  keys.set(pem, key);
  return key;
};

const receive = (index: number): Promise<unknown> => {
  const { body, text, signature, key } = activities[index % activities.length]!;
  const activity = JSON.parse(body) as { id?: string };
  if (!activity.id || !verify("sha256", text, keyOf(key), signature)) throw new Error("refused");
  return insert(body);
};

offer({
  async prepare() {
    await sql`SET client_min_messages = warning`;
    await sql`
      CREATE TABLE IF NOT EXISTS bench_rows (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text NOT NULL
      )
    `;
    await Promise.all(Array.from({ length: CONCURRENCY }, () => insert("first")));
  },
  load(signed: Signed[]) {
    activities = signed.map((delivery) => ({
      ...delivery,
      text: Buffer.from(delivery.text),
      signature: Buffer.from(delivery.signature, "base64"),
    }));
  },
  insert: ({ seconds, body }: { seconds: number; body: string }) =>
    repeat(seconds, () => insert(body)),
  receive: ({ seconds }: { seconds: number }) => repeat(seconds, receive),
});
