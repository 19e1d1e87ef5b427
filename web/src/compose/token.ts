// What is being typed at the cursor that can be completed: a handle, a hashtag or the name of an emoji.

export type Token = { kind: "@" | "#" | ":"; query: string; start: number; end: number };

const TOKEN = /(?:^|[\s([{"'\u200c])([@#:])([\p{L}\p{M}\p{N}_.@+-]*)$/u;
/** Before that there is too much to choose from. */
const SHORTEST = { "@": 1, "#": 1, ":": 2 } as const;

/** null: nothing to complete. */
export const tokenAt = (text: string, cursor: number): Token | null => {
  const [, kind, query] = TOKEN.exec(text.slice(Math.max(0, cursor - 200), cursor)) ?? [];
  if (kind === undefined || query === undefined) return null;
  const mark = kind as Token["kind"];
  if (query.length < SHORTEST[mark] || (mark !== "@" && /[@.]/.test(query))) return null;
  return { kind: mark, query, start: cursor - query.length - 1, end: cursor };
};

/** The text with the token replaced, and where the cursor is then. */
export const complete = (
  text: string,
  { start, end }: Pick<Token, "start" | "end">,
  value: string,
): { text: string; cursor: number } => {
  const after = text.slice(end);
  const space = /^\s/.test(after) ? "" : " ";
  return {
    text: text.slice(0, start) + value + space + after,
    cursor: start + value.length + 1,
  };
};
