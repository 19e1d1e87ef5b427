// Measures the delivery of a post to 2,000 inboxes on 200 hosts of the loopback.

import { startFloor } from "../floors/process.ts";
import type { Floor } from "../floors/process.ts";
import { load, requestBytes } from "../load.ts";
import { whileWorking } from "../measure.ts";
import { selectLastOutgoing } from "../queries.ts";
import { drained, settled } from "../server.ts";
import { courierNumber, signerOf, tokenOf } from "../world.ts";
import { TEST_KEYS } from "../../test/keys.ts";
import { perCoreSecond } from "./scenario.ts";
import type { Bench, Scenario } from "./scenario.ts";

const NAME = "delivery";
const TIMEOUT_SECONDS = 120;

export const deliveryScenario = (bench: Bench): Scenario => {
  const { world, receivers } = bench;
  const inboxes = Array.from(
    { length: world.signers },
    (_, index) => `${signerOf(world, index + 1).uri}/inbox`,
  );
  let floor: Floor | null = null;
  const actor = `${world.origin}/users/u${courierNumber(world)}`;

  /** Posts and waits until it has been delivered to all; returns the milliseconds. */
  const post = async (text: string): Promise<number> => {
    const total = receivers.count() + inboxes.length;
    const token = tokenOf(courierNumber(world));
    const json = { status: text, visibility: "public" };
    const bytes = requestBytes("POST", "/api/v1/statuses", { host: world.host, token, json });
    const began = performance.now();
    await load({ port: bench.server.port, connections: 1, count: 1, request: () => bytes });
    await receivers.reached(total, TIMEOUT_SECONDS);
    const ms = performance.now() - began;
    await drained(bench.server);
    return ms;
  };

  return {
    name: NAME,
    rows: [{ name: NAME, unit: "deliveries/core s", aim: { of: "ratio", least: 0.6 } }],
    prepare: async () => void (await post("The first one opens the connections")),
    async run(round) {
      await settled(bench.server);
      const { result, cpu } = await whileWorking([bench.server.pid], () =>
        post(`To all remote followers: number ${round}`),
      );
      return { [NAME]: perCoreSecond(inboxes.length, cpu, [result]) };
    },
    async floor() {
      floor ??= await startFloor("deliver");
      const body = await selectLastOutgoing(bench.server.sql);
      const { privateKeyPem: privateKey } = TEST_KEYS[0]!;
      const order = { body, keyId: `${actor}#main-key`, privateKey, inboxes };
      await floor.ask("deliver", { ...order, inboxes: inboxes.slice(0, 100) });
      const { cpu } = await whileWorking([floor.pid], () => floor!.ask("deliver", order));
      return { [NAME]: inboxes.length / cpu.total };
    },
  };
};
