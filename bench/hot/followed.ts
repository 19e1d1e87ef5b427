// Hot spot: somebody with a million followers of another server: their pages and a post, some followers who unfollow
// one by one, and then all at once, because that server is blocked.

import { setTimeout as sleep } from "node:timers/promises";
import { signAs } from "../activities.ts";
import { load } from "../load.ts";
import { CONNECTIONS } from "../scenarios/scenario.ts";
import type { Bench } from "../scenarios/scenario.ts";
import {
  authorNumber,
  localId,
  localName,
  signerPrivateKey,
  signerPublicKey,
  tokenOf,
} from "../world.ts";
import { appointOwner, selectJobs } from "./queries-chores.ts";
import {
  crowdUri,
  insertFollowersOf,
  selectFollowers,
  selectIsInboxEmpty,
} from "./queries-peers.ts";
import { timed } from "./spot.ts";
import type { Figure, Spot } from "./spot.ts";

const FOLLOWERS = 1_000_000;
/** Followers who unfollow one by one. */
const LEAVERS = 10_000;
const HOST = "fans.example";

let followers = 0;

const starNumber = ({ world }: Bench): number => authorNumber(world, 14);
const ownerNumber = ({ world }: Bench): number => authorNumber(world, 15);

const leaving = ({ world, ...bench }: Bench, n: number): Buffer => {
  const actor = crowdUri(HOST, n);
  const key = { keyId: `${actor}#main-key`, privateKey: signerPrivateKey(n) };
  const object = `${world.origin}/users/${localName(starNumber({ world, ...bench }))}`;
  return signAs(key, world.host, {
    id: `${actor}#unfollowed`,
    type: "Undo",
    actor,
    object: { id: `${actor}#followed`, type: "Follow", actor, object },
  }).bytes;
};

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};

const pages = async (bench: Bench): Promise<Figure[]> => {
  const token = tokenOf(starNumber(bench));
  const id = localId(starNumber(bench));
  const figures: Figure[] = [];
  for (const [what, path] of [
    ["a page of the followers", `/api/v1/accounts/${id}/followers?limit=80`],
    [
      "one from the middle",
      `/api/v1/accounts/${id}/followers?limit=80&max_id=${(10n << 40n) + BigInt(followers >> 1)}`,
    ],
    ["the profile", `/@${localName(starNumber(bench))}`],
    ["the collection for other servers", `/users/${localName(starNumber(bench))}/followers`],
  ] as const) {
    figures.push({
      what,
      value: (await timed(bench, "GET", path, token)).ms,
      unit: "ms",
      most: 250,
    });
  }
  return figures;
};

export const followed: Spot = {
  name: "followed",
  async prepare(bench) {
    const { world, server } = bench;
    followers = Math.max(20, Math.round(FOLLOWERS * world.size));
    const publicKeys = [0, 1, 2].map(signerPublicKey);
    await insertFollowersOf(server.sql, starNumber(bench), {
      host: HOST,
      count: followers,
      publicKeys,
    });
    await appointOwner(server.sql, ownerNumber(bench), "bench-owner-followed");
  },
  restart: {},
  async run(bench) {
    const { world, server } = bench;
    const star = starNumber(bench);
    const shown = await pages(bench);
    const posted = await timed(bench, "POST", "/api/v1/statuses", tokenOf(star), {
      status: "to a million",
    });
    const count = Math.max(10, Math.round(LEAVERS * world.size));
    const requests = Array.from({ length: count }, (_, n) => leaving(bench, n + 1));
    const oneByOne = await seconds(async () => {
      await load({
        port: server.port,
        connections: CONNECTIONS,
        count,
        request: (n) => requests[n]!,
      });
      while (!(await selectIsInboxEmpty(server.sql))) await sleep(20);
    });
    const left = await selectFollowers(server.sql, star);
    let answer = 0;
    const all = await seconds(async () => {
      const body = { domain: HOST, severity: "suspend" };
      const token = tokenOf(ownerNumber(bench));
      answer = (await timed(bench, "POST", "/api/v1/admin/domain_blocks", token, body)).ms;
      while ((await selectJobs(server.sql, ["domain.limited"])).waiting > 0) await sleep(20);
    });
    const end = await selectFollowers(server.sql, star);
    return [
      ...shown,
      {
        what: `a post of one with ${followers} followers`,
        value: posted.ms,
        unit: "ms",
        most: 100,
      },
      {
        what: `who unfollow one by one, a second, of ${count}`,
        value: count / oneByOne,
        unit: "",
        most: null,
      },
      {
        what: "that the count says too many or too few",
        value: Math.abs(left.counted - left.rows),
        unit: "",
        most: 0,
      },
      { what: "shutting out their server: the answer", value: answer, unit: "ms", most: 1000 },
      {
        what: `until the last of ${followers - count} follows has ended`,
        value: all,
        unit: "s",
        most: null,
      },
      {
        what: "that the count says too many or too few then",
        value: Math.abs(end.counted - end.rows),
        unit: "",
        most: 0,
      },
      {
        what: "followers of that server that are left",
        value: Math.max(0, end.rows - (left.rows - followers + count)),
        unit: "",
        most: 0,
      },
    ];
  },
};
