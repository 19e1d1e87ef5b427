// Attack: a member whose reads are expensive, who searches for frequent words, blocks the largest server, mutes those
// who write most, or reads a rare language; what that costs, and everybody else meanwhile.

import { quantile } from "#plan";
import { load, requestBytes } from "../load.ts";
import { localId, tokenOf } from "../world.ts";
import type { Attack, Finding, Stage } from "./attack.ts";
import {
  countPutAway,
  insertBusy,
  insertHidden,
  insertNotifications,
  insertSenders,
} from "./queries-hidden.ts";
import { ask, medianOf, timeUntil } from "./tools.ts";

/**
 * People who mute the 300 busiest authors, block the server of these, mute 1,000 people; somebody else; who reads a
 * language that few posts have; who mutes the busiest for a day, is blocked by them, and got much from people who are
 * suspended.
 */
const [MUTER, BLOCKER, SHY, EVERYBODY, READER, PAUSER, BLOCKED, SPAMMED] = [
  1, 2, 3, 4, 5, 6, 7, 8,
] as const;
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
};

/** Who has very many notifications by others who are hidden; those of EVERYBODY are older than what is shown. */
const HIDING = {
  "who mutes 300 busy people": MUTER,
  "who blocks the largest server": BLOCKER,
  "who mutes 1,000 people": SHY,
  "who mutes 300 people for a day": PAUSER,
  "whom 300 people block": BLOCKED,
  "who has them by suspended people": SPAMMED,
};
/** Cached pages have no bound. */
const OLDER = "max_id=9007199254740990&";
const NOTIFIED = {
  notifications: `/api/v1/notifications?${OLDER}`,
  mentions: `/api/v1/notifications?types[]=mention&${OLDER}`,
  groups: `/api/v2/notifications?${OLDER}`,
  "unread groups": "/api/v2/notifications/unread_count?types[]=mention&types[]=follow&",
};
const SECONDS_PUT_AWAY = 120;

type Compared = {
  reads: Record<string, string>;
  who: Record<string, number>;
  times: number;
  most: number | null;
};

/** Compares each read with that of who hides nothing; each asks for pages of other lengths, which nobody has cached. */
const compare = async (stage: Stage, { reads, who: people, times, most }: Compared) => {
  const findings: Finding[] = [];
  for (const [name, path] of Object.entries(reads)) {
    let limit = 20;
    const timeOf = (person: number) =>
      medianOf(times, async () => (await ask(stage, person, `${path}limit=${limit++}`)).ms);
    const nothing = await timeOf(EVERYBODY);
    findings.push({ what: `${name}: who hides nothing`, seen: nothing, unit: "ms", most: null });
    for (const [who, person] of Object.entries(people)) {
      const seen = (await timeOf(person)) / Math.max(1, nothing);
      findings.push({ what: `${name}: ${who}`, seen, unit: "times that", most });
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
    await insertSenders(sql, BUSY);
    const each = stage.of(20_000, 500);
    const hiding = Object.values(HIDING).map(localId);
    await insertNotifications(sql, hiding, each, true);
    await insertNotifications(sql, [localId(EVERYBODY)], each, false);
    await insertHidden(sql, {
      muter: localId(MUTER),
      blocker: localId(BLOCKER),
      shy: localId(SHY),
      reader: localId(READER),
      pauser: localId(PAUSER),
      blocked: localId(BLOCKED),
    });
    // One of them had others before, by people who are hidden now.
    const isPutAway = async () => (await countPutAway(sql)) >= each * hiding.length;
    const putAway = await timeUntil(isPutAway, SECONDS_PUT_AWAY);
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
    findings.push({
      what: `${each * hiding.length} notifications put away within`,
      seen: putAway / 1000,
      unit: "s",
      most: SECONDS_PUT_AWAY,
    });
    const notified = { reads: NOTIFIED, who: HIDING, times: 15, most: 1.5 };
    findings.push(...(await compare(stage, notified)));
    findings.push(...(await compare(stage, { reads: READS, who: WHO, times: 3, most: null })));
    for (const each of CASES) findings.push(...(await measure(stage, each)));
    return findings;
  },
};
