// Reads parameters of the OAuth endpoints. Their errors have OAuth's own bodies, so that no schema is used.

/** Returns the text parameters; values that are not text, or have invalid characters, are absent. */
export const readTexts = (body: unknown): Partial<Record<string, string>> => {
  if (typeof body !== "object" || body === null) return {};
  const texts = Object.entries(body).flatMap(([name, value]) => {
    if (typeof value === "number" || typeof value === "boolean") return [[name, String(value)]];
    const usable = typeof value === "string" && !value.includes("\0") && value.isWellFormed();
    return usable ? [[name, value]] : [];
  });
  return Object.fromEntries(texts);
};
