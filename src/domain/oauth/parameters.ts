// Parameters of the OAuth endpoints. Their faults have OAuth's own bodies, so they are read by hand
// and not by a schema.

/** The texts among the parameters; what is no text, or holds what no text may, is absent. */
export const readTexts = (given: unknown): Partial<Record<string, string>> => {
  if (typeof given !== "object" || given === null) return {};
  const texts = Object.entries(given).flatMap(([name, value]) => {
    if (typeof value === "number" || typeof value === "boolean") return [[name, String(value)]];
    const usable = typeof value === "string" && !value.includes("\0") && value.isWellFormed();
    return usable ? [[name, value]] : [];
  });
  return Object.fromEntries(texts);
};
