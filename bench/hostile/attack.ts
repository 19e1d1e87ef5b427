// The types of attacks, and what they share.

import type { Receivers } from "../receivers.ts";
import type { Server } from "../server.ts";
import type { World } from "../world.ts";
import type { Strangers } from "./strangers.ts";

/** `most` is the bound, or null where the figure is for information. */
export type Finding = { what: string; seen: number; unit: string; most: number | null };

/** A server of its own for each attack, with a small world. */
export type Stage = {
  world: World;
  server: Server;
  receivers: Receivers;
  strangers: Strangers;
  /** Scales a number of the attack. */
  of(count: number, least?: number): number;
  /** Scales the seconds that something is watched. */
  seconds(count: number): number;
  say(text: string): void;
};

export type Attack = { name: string; run(stage: Stage): Promise<Finding[]> };

export const isKept = ({ seen, most }: Finding): boolean | null =>
  most === null ? null : seen <= most;
