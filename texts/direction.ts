// Languages that are written from the right.

const FROM_THE_RIGHT = new Set("ar arc ckb dv fa he khw ks ku nqo ps sd syr ug ur yi".split(" "));

export const isFromTheRight = (language: string): boolean =>
  FROM_THE_RIGHT.has(language.split("-", 1)[0]!);
