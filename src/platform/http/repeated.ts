// Parameters that were given several times without brackets (`limit=1&limit=2`): a list where one is wanted;
// anywhere else the last of them counts, as clients that add to an address expect.

const repeated = new WeakSet<unknown[]>();

const hasBrackets = (text: string, name: string): boolean =>
  text.includes(`${name}[`) || text.includes(`${name}%5`);

/** `parsed`: the parameters of `text`. */
export const markRepeated = (parsed: Record<string, unknown>, text: string): void => {
  for (const [name, value] of Object.entries(parsed)) {
    if (Array.isArray(value) && !hasBrackets(text, name)) repeated.add(value);
  }
};

/** The last of a repeated parameter; any other value unchanged. */
export const lastOf = (value: unknown): unknown =>
  Array.isArray(value) && repeated.has(value) ? value.at(-1) : value;
