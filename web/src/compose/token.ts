// Finds what is being typed at the cursor and can be completed: a handle, a hashtag or the name of an emoji.

export type Token = { kind: "@" | "#" | ":"; query: string; start: number; end: number };

const TOKEN = /(?:^|[\s([{"'\u200c])([@#:])([\p{L}\p{M}\p{N}_.@+-]*)$/u;
/** Characters from which on suggestions are made; before that there are too many. */
const SHORTEST = { "@": 1, "#": 1, ":": 2 } as const;

/** Returns null when there is nothing to complete. */
export const tokenAt = (text: string, cursor: number): Token | null => {
  const [, kind, query] = TOKEN.exec(text.slice(Math.max(0, cursor - 200), cursor)) ?? [];
  if (kind === undefined || query === undefined) return null;
  const mark = kind as Token["kind"];
  if (query.length < SHORTEST[mark] || (mark !== "@" && /[@.]/.test(query))) return null;
  return { kind: mark, query, start: cursor - query.length - 1, end: cursor };
};

/** Returns the text with the token replaced, and the new cursor position. */
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
