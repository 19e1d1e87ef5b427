// Every scenario, in the order in which a round runs them.

import { deliveryScenario } from "./delivery.ts";
import { inboxScenario } from "./inbox.ts";
import { hubScenario, postScenario } from "./post.ts";
import { readScenarios } from "./reads.ts";
import { rebuildScenario } from "./rebuild.ts";
import type { Bench, Scenario } from "./scenario.ts";
import { socketsScenario } from "./sockets.ts";
import { startScenario } from "./start.ts";

export const allScenarios = (bench: Bench): Scenario[] => [
  startScenario(bench),
  ...readScenarios(bench),
  rebuildScenario(bench),
  postScenario(bench),
  hubScenario(bench),
  inboxScenario(bench),
  deliveryScenario(bench),
  socketsScenario(bench),
];
