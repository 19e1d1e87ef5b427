// Attack: a member whose reads are expensive, who searches for frequent words, blocks the largest server, mutes those
// who write most, or reads a rare language; what that costs, and everybody else meanwhile.

import { quantile } from "#plan";
import { load, requestBytes } from "../load.ts";
import { localId, tokenOf } from "../world.ts";
import type { Attack, Finding, Stage } from "./attack.ts";
import { insertBusy, insertHidden } from "./queries-hidden.ts";
import { ask, medianOf } from "./tools.ts";

/**
 * People who mute the 300 busiest authors, block the server of these, mute 1,000 people; somebody else; and who reads a
 * language that few posts have.
 */
const [MUTER, BLOCKER, SHY, EVERYBODY, READER] = [1, 2, 3, 4, 5] as const;
const BUSY = 300;
const SECONDS = 5;

const [PUBLIC, REMOTE, TAG] = [
  "/api/v1/timelines/public?limit=20",
  "/api/v1/timelines/public?remote=true&limit=20",
  "/api/v1/timelines/tag/busy?limit=20",
];
const PHRASE = "/api/v2/search?type=statuses&q=%22bravo%20alpha%22";

type Case = { name: string; person: number; path: string; atOnce: number };

const CASES: Case[] = [
  {
    name: "public timelines of who blocks the largest server",
    person: BLOCKER,
    path: PUBLIC,
    atOnce: 40,
  },
  { name: "remote posts for who mutes 300 busy people", person: MUTER, path: REMOTE, atOnce: 40 },
  { name: "remote posts for who mutes 1,000 people", person: SHY, path: REMOTE, atOnce: 40 },
  { name: "a hashtag for who mutes 300 busy people", person: MUTER, path: TAG, atOnce: 40 },
  { name: "searches for a phrase of frequent words", person: MUTER, path: PHRASE, atOnce: 30 },
];

const WHO = {
  "who mutes 300 busy people": MUTER,
  "who blocks the largest server": BLOCKER,
  "who mutes 1,000 people": SHY,
  "who reads one language": READER,
};
const READS = {
  home: "/api/v1/timelines/home?",
  local: "/api/v1/timelines/public?local=true&",
  federated: "/api/v1/timelines/public?",
  remote: "/api/v1/timelines/public?remote=true&",
  "a hashtag": "/api/v1/timelines/tag/busy?",
  "a search": "/api/v2/search?type=statuses&q=alpha&",
  trends: "/api/v1/trends/statuses?",
  notifications: "/api/v1/notifications?",
};
const TIMES = 3;

/** Compares each read with that of who hides nothing; each asks for pages of other lengths, which nobody has cached. */
const compare = async (stage: Stage): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const [name, path] of Object.entries(READS)) {
    let limit = 20;
    const timeOf = (person: number) =>
      medianOf(TIMES, async () => (await ask(stage, person, `${path}limit=${limit++}`)).ms);
    const nothing = await timeOf(EVERYBODY);
    findings.push({ what: `${name}: who hides nothing`, seen: nothing, unit: "ms", most: null });
    for (const [who, person] of Object.entries(WHO)) {
      const seen = (await timeOf(person)) / Math.max(1, nothing);
      findings.push({ what: `${name}: ${who}`, seen, unit: "times that", most: null });
    }
  }
  return findings;
};

/** Measures how long a reader of their home waits, and how often they are refused. */
const everybodyElse = async ({ world, server, seconds }: Stage, during: () => Promise<unknown>) => {
  const { host } = world;
  const home = requestBytes("GET", "/api/v1/timelines/home", { host, token: tokenOf(EVERYBODY) });
  const statuses: number[] = [];
  const reading = load({
    port: server.port,
    connections: 2,
    seconds: seconds(SECONDS),
    anyStatus: true,
    mayWait: true,
    request: () => home,
    onAnswer: ({ status }) => statuses.push(status),
  });
  await during();
  const { latencies } = await reading;
  const refused = statuses.filter((status) => status >= 500).length;
  return {
    p99: quantile(latencies, 0.99),
    refused: (100 * refused) / Math.max(1, statuses.length),
  };
};

const measure = async (stage: Stage, { name, person, path, atOnce }: Case): Promise<Finding[]> => {
  const alone = await medianOf(3, async () => (await ask(stage, person, path)).ms);
  const statuses: number[] = [];
  const request = requestBytes("GET", path, { host: stage.world.host, token: tokenOf(person) });
  const other = await everybodyElse(stage, () =>
    load({
      port: stage.server.port,
      connections: atOnce,
      seconds: stage.seconds(SECONDS),
      anyStatus: true,
      request: () => request,
      onAnswer: ({ status }) => statuses.push(status),
    }),
  );
  const refused = statuses.filter((status) => status >= 500).length;
  return [
    { what: `${name}: one`, seen: alone, unit: "ms", most: null },
    {
      what: `${atOnce} at once: refused`,
      seen: (100 * refused) / Math.max(1, statuses.length),
      unit: "%",
      most: null,
    },
    { what: `everybody else meanwhile: p99`, seen: other.p99, unit: "ms", most: 1000 },
    { what: `everybody else meanwhile: refused`, seen: other.refused, unit: "%", most: 1 },
  ];
};

export const hidden: Attack = {
  name: "hidden",
  async run(stage) {
    const { sql } = stage.server;
    const posts = stage.of(500_000, 2000);
    const began = performance.now();
    await insertBusy(sql, { posts, people: BUSY });
    await insertHidden(sql, {
      muter: localId(MUTER),
      blocker: localId(BLOCKER),
      shy: localId(SHY),
      reader: localId(READER),
    });
    stage.say(
      `${posts} posts of ${BUSY} people in ${Math.round((performance.now() - began) / 1000)} s`,
    );
    const quiet = await everybodyElse(stage, async () => {});
    const findings: Finding[] = [
      {
        what: `everybody else, alone, with ${posts} posts: p99`,
        seen: quiet.p99,
        unit: "ms",
        most: null,
      },
    ];
    findings.push(...(await compare(stage)));
    for (const each of CASES) findings.push(...(await measure(stage, each)));
    return findings;
  },
};
