// Names of entries in directories (DNs).

/** Returns a DN as it is compared: directories differ in case and in spaces around commas. */
export const dnOf = (dn: string): string =>
  dn
    .trim()
    .replaceAll(/\s*([,=])\s*/g, "$1")
    .toLowerCase();
