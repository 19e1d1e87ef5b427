// Compares what the API answered on the Mastodon with what it answers after the move, for everything that was recorded.

import { compareAnswers } from "../src/answers.ts";
import type { Fault } from "../src/answers.ts";
import type { TestApp } from "../../../test/harness.ts";
import { oldPeople, recordings } from "./old-server.ts";
import type { Recorded } from "./old-server.ts";

/** Returns who asked: who boosted it, or else who wrote it. Only authors are told whether they pinned it. */
const viewerOf = (answers: Record<string, Recorded>): string => {
  const { account, pinned, reblogged } = answers[""]!.body;
  const name =
    pinned === undefined && reblogged
      ? answers["/reblogged_by"]!.body[0].username
      : account.username;
  return name.replace("gadmin", "admin");
};

/** Sends all recorded requests again. */
export const compareRecordings = async (server: TestApp) => {
  const people = oldPeople();
  const all = recordings();
  const faults: Fault[] = [];
  let compared = 0;
  const ask = async (path: string, recorded: Recorded, token: string | null) => {
    const { status, json } = await server.as(token).get(path);
    faults.push(...compareAnswers(path, recorded, { status, body: json }));
    compared += 1;
  };
  for (const [path, recorded] of Object.entries(all.open)) await ask(path, recorded, null);
  for (const [path, recorded] of Object.entries(all.staff))
    await ask(path, recorded, people["admin"]!.token);
  for (const [name, answers] of Object.entries(all.people)) {
    const { token } = people[name]!;
    const own = await server.as(token).get("/api/v1/accounts/verify_credentials");
    for (const [path, recorded] of Object.entries(answers))
      await ask(path.replace(":own", own.json.id), recorded, token);
  }
  for (const [id, answers] of Object.entries(all.statuses)) {
    const token = people[viewerOf(answers)]!.token;
    for (const [rest, recorded] of Object.entries(answers))
      await ask(`/api/v1/statuses/${id}${rest}`, recorded, token);
  }
  return { faults, compared };
};
