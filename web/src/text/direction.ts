// Decides the direction of a text.

const FROM_THE_RIGHT = new Set("ar arc ckb dv fa he khw ks ku nqo ps sd syr ug ur yi".split(" "));

/** Returns the direction by the language of a post, because a handle at its beginning says nothing about the rest. */
export const directionOf = (language: string | null | undefined): "rtl" | "auto" =>
  FROM_THE_RIGHT.has(language?.split("-", 1)[0] ?? "") ? "rtl" : "auto";
