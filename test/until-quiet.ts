// Waits for what several servers do for each other: a thing that one does follows on another, and the other way round.

import { wakeHere } from "../src/platform/wake.ts";
import type { TestApp } from "./harness.ts";
import { eventually } from "./journeys/eventually.ts";

type Look = { waiting: number; sent: string };

/** What waits at a server, also what is tried again in a while because the other one did not answer. */
const look = async ({ app: { sql } }: TestApp, hosts: string[]): Promise<Look> => {
  const [row] = await sql<Look[]>`
    SELECT (SELECT count(*) FROM outbox)::int + (SELECT count(*) FROM incoming_activities)::int
      + (SELECT count(*) FROM deliveries WHERE host = ANY(${hosts}::text[]))::int
      + (SELECT count(*) FROM graphile_worker._private_jobs
        WHERE attempts > 0 AND attempts < max_attempts)::int AS waiting,
      coalesce((SELECT max(id) FROM outgoing_activities), 0)::text AS sent`;
  return row!;
};

/** One that was too busy asks for a minute, which no test should wait. */
const endRests = async (server: TestApp, hosts: string[]): Promise<void> => {
  await server.write`
    UPDATE remote_hosts SET resting = false, paused_until = NULL, due_at = now()
    WHERE host = ANY(${hosts}::text[]) AND resting AND owner IS NULL`;
  wakeHere(server.app, "deliveries");
};

/** Runs the jobs of all until nothing is under way from one of them to another, nor at any of them. */
export const untilQuiet = async (...servers: TestApp[]): Promise<void> => {
  const hosts = servers.map(({ url }) => new URL(url).host);
  let before = "";
  await eventually("nothing to be under way", async () => {
    for (const server of servers) await server.runJobs();
    const looks: Look[] = [];
    for (const server of servers) looks.push(await look(server, hosts));
    // What goes from one to another while they are looked at was waiting, or is sent, by the next look.
    const isQuiet = looks.every(({ waiting }) => waiting === 0);
    if (!isQuiet) for (const server of servers) await endRests(server, hosts);
    const now = isQuiet ? looks.map(({ sent }) => sent).join() : "";
    const wasSo = isQuiet && now === before;
    before = now;
    return wasSo;
  });
};
