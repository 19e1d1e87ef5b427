// Runs a floor in a process of its own, so that its CPU time can be measured: starts it, and passes messages in both
// directions.

import { fork } from "node:child_process";
import { once } from "node:events";
import { trackChild } from "../server.ts";

type Call = { id: number; name: string; input: unknown };
type Reply = { id: number; output?: unknown; error?: string };

export type Floor = {
  pid: number;
  /** Calls the floor's function of this name. */
  ask<T>(name: string, input?: unknown): Promise<T>;
  stop(): Promise<void>;
};

/** Starts bench/floors/NAME.ts; resolves when it is ready. */
export const startFloor = async (
  name: string,
  env: Record<string, string> = {},
): Promise<Floor> => {
  const child = fork(new URL(`${name}.ts`, import.meta.url), { env: { ...process.env, ...env } });
  trackChild(child);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let next = 1;
  child.on("message", ({ id, output, error }: Reply) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(new Error(`${name}: ${error}`));
    else call?.resolve(output);
  });
  child.once("exit", () => {
    for (const call of waiting.values()) call.reject(new Error(`the floor ${name} ended`));
  });
  const floor: Floor = {
    pid: child.pid!,
    ask<T>(called: string, input?: unknown) {
      const id = next++;
      const call = Promise.withResolvers<unknown>();
      waiting.set(id, call);
      child.send({ id, name: called, input } satisfies Call);
      return call.promise as Promise<T>;
    },
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
  await floor.ask("ready");
  return floor;
};

/** Offers functions by name; called in the floor's process. */
export const offer = (calls: Record<string, (input: never) => unknown>): void => {
  process.on("message", async ({ id, name, input }: Call) => {
    try {
      const output = name === "ready" ? null : await calls[name]!(input as never);
      process.send!({ id, output } satisfies Reply);
    } catch (error) {
      process.send!({ id, error: String((error as Error).stack) } satisfies Reply);
    }
  });
};
