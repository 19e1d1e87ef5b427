// Hot spot: sixty searches at once for a phrase of frequent words that never stand together, the slowest that there is;
// of one member, and of sixty.

import { load, requestBytes } from "../load.ts";
import type { Bench } from "../scenarios/scenario.ts";
import { tokenOf } from "../world.ts";
import type { Others } from "./others.ts";
import { OTHERS_MS, p99 } from "./spot.ts";
import type { Figure, Spot } from "./spot.ts";

const AT_ONCE = 60;
const SECONDS = 10;
const PHRASE = "/api/v2/search?type=statuses&q=%22evening%20rook%22";

/** Returns how long everybody else waits while the members search, and how many of the searches were refused. */
const searching = async ({ world, server, seconds }: Bench, readers: Others, members: number) => {
  const since = await readers.mark();
  const statuses: number[] = [];
  const requests = Array.from({ length: members }, (_, n) =>
    requestBytes("GET", PHRASE, { host: world.host, token: tokenOf(n + 1) }),
  );
  await load({
    port: server.port,
    connections: AT_ONCE,
    seconds: seconds * SECONDS,
    anyStatus: true,
    request: (n) => requests[n % members]!,
    onAnswer: ({ status }) => statuses.push(status),
  });
  const refused = statuses.filter((status) => status >= 500).length;
  const what = `${AT_ONCE} searches of ${members}`;
  return [
    p99(`p99 of everybody else beside ${what}`, await since(), OTHERS_MS),
    { what: `refused of ${what}`, value: refused, unit: `of ${statuses.length}`, most: null },
  ] satisfies Figure[];
};

export const searches: Spot = {
  name: "searches",
  restart: null,
  async run(bench, readers) {
    const one = await searching(bench, readers, 1);
    return [...one, ...(await searching(bench, readers, Math.min(AT_ONCE, bench.world.people)))];
  },
};
