// Runs commands of packages/administration, which is loaded when one of them is called.

type Administration = typeof import("#administration");
type Group = Exclude<keyof Administration, "makeAccount">;

/** Returns the action of a command: it gets `first`, then what was typed, then the options. */
export const administer =
  <G extends Group>(group: G, name: keyof Administration[G], ...first: unknown[]) =>
  async (...typed: unknown[]): Promise<void> => {
    const { [group]: commands } = await import("#administration");
    const run = commands[name] as (...words: unknown[]) => Promise<void>;
    // The last is the command itself, as commander describes it.
    await run(...first, ...typed.slice(0, -1));
  };
