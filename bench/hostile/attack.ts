// The types of attacks, and what they share.

import type { Receivers } from "../receivers.ts";
import type { Server } from "../server.ts";
import type { World } from "../world.ts";
import type { Strangers } from "./strangers.ts";

/** `most` null: there is no bound, the figure is for information. */
export type Finding = { what: string; seen: number; unit: string; most: number | null };

/** A server of its own for each attack, with a small world. */
export type Stage = {
  world: World;
  server: Server;
  receivers: Receivers;
  strangers: Strangers;
  /** A number of the attack at this size. */
  of(count: number, least?: number): number;
  /** Seconds that something is watched, at this size. */
  seconds(count: number): number;
  say(text: string): void;
};

export type Attack = { name: string; run(stage: Stage): Promise<Finding[]> };

export const isKept = ({ seen, most }: Finding): boolean | null =>
  most === null ? null : seen <= most;
