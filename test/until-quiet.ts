// Waits for what several servers do for each other: an act on one has effects on another, and the other way round.

import { wakeHere } from "../src/platform/wake.ts";
import type { TestApp } from "./harness.ts";
import { eventually } from "./journeys/eventually.ts";

type Look = { waiting: number; sent: string };

/** Counts what waits at a server, also what is retried later because the other one did not answer. */
const look = async ({ app: { sql } }: TestApp, hosts: string[]): Promise<Look> => {
  const [row] = await sql<Look[]>`
    SELECT (SELECT count(*) FROM outbox)::int + (SELECT count(*) FROM incoming_activities)::int
      + (SELECT count(*) FROM deliveries WHERE host = ANY(${hosts}::text[]))::int
      + (SELECT count(*) FROM graphile_worker._private_jobs
        WHERE attempts > 0 AND attempts < max_attempts)::int AS waiting,
      coalesce((SELECT max(id) FROM outgoing_activities), 0)::text AS sent`;
  return row!;
};

/** Ends pauses: a host that was too busy asks for a minute, which no test should wait. */
const endRests = async (server: TestApp, hosts: string[]): Promise<void> => {
  await server.write`
    UPDATE remote_hosts SET resting = false, paused_until = NULL, due_at = now()
    WHERE host = ANY(${hosts}::text[]) AND resting AND owner IS NULL`;
  wakeHere(server.app, "deliveries");
};

/** Runs the jobs of all servers until nothing is in progress between them, nor at any of them. */
export const untilQuiet = async (...servers: TestApp[]): Promise<void> => {
  const hosts = servers.map(({ url }) => new URL(url).host);
  let before = "";
  await eventually("nothing to be under way", async () => {
    for (const server of servers) await server.runJobs();
    const looks: Look[] = [];
    for (const server of servers) looks.push(await look(server, hosts));
    // What is sent from one to another while they are looked at was waiting, or is sent, by the next look.
    const isQuiet = looks.every(({ waiting }) => waiting === 0);
    if (!isQuiet) for (const server of servers) await endRests(server, hosts);
    const now = isQuiet ? looks.map(({ sent }) => sent).join() : "";
    const wasSo = isQuiet && now === before;
    before = now;
    return wasSo;
  });
};
