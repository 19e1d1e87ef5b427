// Everybody else, in a process of their own, so that the load generator's work delays no measurement. People on eight
// connections read what they have open, one page after another with a short pause; and two write, where that is
// measured too.

import { setTimeout as sleep } from "node:timers/promises";
import { offer } from "../floors/process.ts";
import { openConnection, requestBytes } from "../load.ts";
import { SMOKE } from "../options.ts";
import { CONNECTIONS } from "../scenarios/scenario.ts";
import { authorNumber, tokenOf } from "../world.ts";
import type { World } from "../world.ts";

const READ_PAUSE_MS = 20;
/** Readers pause for longer in a smoke run: tests run beside it on the same cores. */
const SMOKE_READ_PAUSE_MS = 100;
const WRITE_PAUSE_MS = 50;
const WRITERS = 2;
/** Number of the first writer; authors before it belong to the other hot spots. */
const WRITERS_FROM = 4;
const PAGES = [
  "/api/v1/timelines/home?limit=20",
  "/api/v2/notifications?limit=20",
  "/api/v1/timelines/home?limit=20",
  "/api/v1/timelines/public?local=true&limit=20",
];

type Asked = { method: string; path: string; token: string; json?: unknown };

type Habit = {
  people: number;
  pauseMs: number;
  /** `last` is the JSON of the previous answer. */
  ask(person: number, turn: number, last: { id?: string }): Asked;
};

export type Living = { world: World; port: number; habit: keyof typeof HABITS };

const HABITS = {
  readers: (world: World): Habit => ({
    people: CONNECTIONS,
    pauseMs: world.size < SMOKE ? SMOKE_READ_PAUSE_MS : READ_PAUSE_MS,
    ask: (person, turn) => ({
      method: "GET",
      path: PAGES[(person + turn) % PAGES.length]!,
      token: tokenOf(1 + (person % world.viewers)),
    }),
  }),
  /** Writers post, somebody favourites it, they answer it, somebody bookmarks the answer. */
  writers: (world: World): Habit => ({
    people: WRITERS,
    pauseMs: WRITE_PAUSE_MS,
    ask(person, turn, { id }) {
      const author = tokenOf(authorNumber(world, WRITERS_FROM + person));
      const friend = tokenOf(1 + ((person + turn) % world.viewers));
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
  }),
};

/** People with one habit, until they end; `times` are the milliseconds of each answer. */
type Life = { times: number[]; isOver: boolean; living: Promise<unknown> };

/** Sends one request after another; any answer but a success is an error. */
const live = async (
  { world, port }: Living,
  { pauseMs, ask }: Habit,
  person: number,
  life: Life,
): Promise<void> => {
  const connection = await openConnection(port);
  let last = {};
  for (let turn = 0; !life.isOver; turn++) {
    const { method, path, ...parts } = ask(person, turn, last);
    const request = requestBytes(method, path, { host: world.host, ...parts });
    const began = performance.now();
    const { status, body } = await connection.ask(request);
    life.times.push(performance.now() - began);
    if (status !== 200) throw new Error(`${path} answered ${status} to somebody else`);
    if (method === "POST") last = JSON.parse(body.toString("utf8"));
    await sleep(pauseMs);
  }
  connection.close();
};

const lives: Life[] = [];

offer({
  /** Returns the number of the life. */
  begin(work: Living): number {
    const habit = HABITS[work.habit](work.world);
    const life: Life = { times: [], isOver: false, living: Promise.resolve() };
    const people = Array.from({ length: habit.people }, (_, person) => person);
    life.living = Promise.all(people.map((person) => live(work, habit, person, life)));
    life.living.catch(() => {}); // thrown by `end`
    return lives.push(life) - 1;
  },
  count: (number: number) => lives[number]!.times.length,
  since: ({ number, from }: { number: number; from: number }) => lives[number]!.times.slice(from),
  async end(number: number) {
    const life = lives[number]!;
    life.isOver = true;
    await life.living;
    return life.times;
  },
});
