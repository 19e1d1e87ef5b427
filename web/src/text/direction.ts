// From which side a text is written.

const FROM_THE_RIGHT = new Set("ar arc ckb dv fa he khw ks ku nqo ps sd syr ug ur yi".split(" "));

/** By the language of a post; a handle at its begin says nothing of the rest. */
export const directionOf = (language: string | null | undefined): "rtl" | "auto" =>
  FROM_THE_RIGHT.has(language?.split("-", 1)[0] ?? "") ? "rtl" : "auto";
