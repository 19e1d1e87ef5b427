// Runs commands, whose code is loaded when one of them is called.

type Commands = typeof import("../commands.ts");

/** Returns the action of a command: it gets `first`, then what was typed, then the options. */
export const administer =
  <G extends keyof Commands>(group: G, name: keyof Commands[G], ...first: unknown[]) =>
  async (...typed: unknown[]): Promise<void> => {
    const { [group]: commands } = await import("../commands.ts");
    const run = commands[name] as (...words: unknown[]) => Promise<void>;
    // The last is the command itself, as commander describes it.
    await run(...first, ...typed.slice(0, -1));
  };
