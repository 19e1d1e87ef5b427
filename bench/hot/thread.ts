// Hot spot: a thread of thousands of replies: how long its context and its page take, and one more reply.

import { load, requestBytes } from "../load.ts";
import { CONNECTIONS } from "../scenarios/scenario.ts";
import type { Spot } from "./spot.ts";
import { drained } from "../server.ts";
import { authorNumber, localName, tokenOf } from "../world.ts";
import { timed } from "./spot.ts";

const REPLIES = 20_000;
let rootId = "";

export const thread: Spot = {
  name: "thread",
  async prepare(bench) {
    const { world, server } = bench;
    const token = tokenOf(authorNumber(world, 2));
    const { json } = await timed(bench, "POST", "/api/v1/statuses", token, { status: "why?" });
    rootId = json.id;
    const count = Math.max(20, Math.round(REPLIES * world.size));
    const ids = [rootId];
    await load({
      port: server.port,
      connections: CONNECTIONS,
      count,
      request: (index) =>
        requestBytes("POST", "/api/v1/statuses", {
          host: world.host,
          token: tokenOf(1 + (index % world.people)),
          // Half of them answer the first post, the others one of the answers.
          json: {
            status: `because ${index}`,
            in_reply_to_id: index % 2 === 0 ? rootId : ids[(index * 7) % ids.length]!,
          },
        }),
      onAnswer: ({ body }) => ids.push(JSON.parse(body.toString("utf8")).id),
    });
    await drained(server, 600);
  },
  restart: null,
  async run(bench) {
    const { world, server } = bench;
    const author = authorNumber(world, 2);
    const token = tokenOf(author);
    const path = `/api/v1/statuses/${rootId}`;
    const context = await timed(bench, "GET", `${path}/context`, token);
    const again = await timed(bench, "GET", `${path}/context`, token);
    const page = await timed(bench, "GET", `/@${localName(author)}/${rootId}`, token);
    const reply = await timed(bench, "POST", "/api/v1/statuses", token, {
      status: "because of that",
      in_reply_to_id: rootId,
    });
    const began = performance.now();
    await drained(server);
    const { replies_count: replies } = (await timed(bench, "GET", path, token)).json;
    return [
      { what: "answers that the first post counts", value: replies, unit: "", most: null },
      {
        what: `its context (${context.json.descendants.length} posts)`,
        value: context.ms,
        unit: "ms",
        most: 2000,
      },
      { what: "the same once more", value: again.ms, unit: "ms", most: 2000 },
      { what: "its page without an account", value: page.ms, unit: "ms", most: 2000 },
      { what: "one more answer", value: reply.ms, unit: "ms", most: 100 },
      {
        what: "what follows from it",
        value: performance.now() - began,
        unit: "ms",
        most: 1000,
      },
    ];
  },
};
