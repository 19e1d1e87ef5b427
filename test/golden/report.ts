// Prints the table of steps that agree, by group.

import { groupOf } from "./recording.ts";
import type { Exchange } from "./recording.ts";

const OUTCOMES = ["agrees", "in part", "not yet", "differs"] as const;

/** "in part" means that it agrees except in listed members (exceptions.ts). */
export type Outcome = (typeof OUTCOMES)[number];

const cells = (label: string, figures: (string | number)[]): string =>
  label.padEnd(13) + figures.map((figure) => String(figure).padStart(9)).join("");

export const tableOf = (exchanges: Exchange[], outcomes: Map<string, Outcome>): string => {
  const line = (label: string, steps: Exchange[]) => {
    const count = (outcome: Outcome) =>
      steps.filter(({ name }) => outcomes.get(name) === outcome).length;
    return cells(label, [steps.length, ...OUTCOMES.map(count)]);
  };
  const groups = Map.groupBy(exchanges, (exchange) => groupOf(exchange.name));
  const head = cells("group", ["steps", ...OUTCOMES]);
  const lines = [...groups].map(([group, steps]) => line(group, steps));
  return [head, ...lines, line("all", exchanges)].join("\n");
};
