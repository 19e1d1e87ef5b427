// Everybody else: people on eight connections who read what they have open, one page after another with a short pause;
// and two who write, where that is measured too.

import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, requestBytes } from "../load.ts";
import { CONNECTIONS } from "../scenarios/scenario.ts";
import type { Bench } from "../scenarios/scenario.ts";
import { authorNumber, tokenOf } from "../world.ts";

const READ_PAUSE_MS = 20;
const WRITE_PAUSE_MS = 50;
const WRITERS = 2;
/** The first authors are those of the other hot spots. */
const WRITERS_FROM = 4;
const PAGES = [
  "/api/v1/timelines/home?limit=20",
  "/api/v2/notifications?limit=20",
  "/api/v1/timelines/home?limit=20",
  "/api/v1/timelines/public?local=true&limit=20",
];

type Asked = { method: string; path: string; token: string; json?: unknown };

export type Others = {
  /** Gives the milliseconds of each answer from now until it is called. */
  mark(): () => number[];
  /** Of all answers. */
  stop(): Promise<number[]>;
};

type Habit = {
  people: number;
  pauseMs: number;
  /** `last`: the JSON of the answer before. */
  ask(person: number, turn: number, last: { id?: string }): Asked;
};

/** Any answer but a success is an error. */
const start = ({ world, server }: Bench, { people, pauseMs, ask }: Habit): Others => {
  const times: number[] = [];
  let isOver = false;
  const live = async (person: number): Promise<void> => {
    const connection = await openConnection(server.port);
    let last = {};
    for (let turn = 0; !isOver; turn++) {
      const { method, path, ...parts } = ask(person, turn, last);
      const request = requestBytes(method, path, { host: world.host, ...parts });
      const began = performance.now();
      const { status, body } = await connection.ask(request);
      times.push(performance.now() - began);
      if (status !== 200) throw new Error(`${path} answered ${status} to somebody else`);
      if (method === "POST") last = JSON.parse(body.toString("utf8"));
      await sleep(pauseMs);
    }
    connection.close();
  };
  const living = Promise.all(Array.from({ length: people }, (_, person) => live(person)));
  return {
    mark() {
      const from = times.length;
      return () => times.slice(from);
    },
    async stop() {
      isOver = true;
      await living;
      return times;
    },
  };
};

export const startOthers = (bench: Bench): Others =>
  start(bench, {
    people: CONNECTIONS,
    pauseMs: READ_PAUSE_MS,
    ask: (person, turn) => ({
      method: "GET",
      path: PAGES[(person + turn) % PAGES.length]!,
      token: tokenOf(1 + (person % bench.world.viewers)),
    }),
  });

/** They post, somebody favourites it, they answer it, somebody bookmarks that. */
export const startWriters = (bench: Bench): Others =>
  start(bench, {
    people: WRITERS,
    pauseMs: WRITE_PAUSE_MS,
    ask(person, turn, { id }) {
      const author = tokenOf(authorNumber(bench.world, WRITERS_FROM + person));
      const friend = tokenOf(1 + ((person + turn) % bench.world.viewers));
      const status = `written meanwhile, ${turn}`;
      const post = { method: "POST", path: "/api/v1/statuses", token: author };
      const act = (verb: string) => ({
        method: "POST",
        path: `/api/v1/statuses/${id}/${verb}`,
        token: friend,
      });
      return [
        { ...post, json: { status } },
        act("favourite"),
        { ...post, json: { status, in_reply_to_id: id } },
        act("bookmark"),
      ][turn % 4]!;
    },
  });
