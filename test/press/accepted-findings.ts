// Findings of the crawler that are right as they are, with the reason.

export type Finding = {
  browser: string;
  size: string;
  person: string;
  page: string;
  /** The control, and what was pressed before to see it; empty for the page itself. */
  keys: readonly string[];
  what: string;
  fault: string;
};

export const describeFinding = (finding: Finding): string => {
  const { browser, size, person, page, keys, what, fault } = finding;
  return `${browser}, ${size}, ${person}, ${page}\n  ${keys.join("\n  > ")}\n  ${what}\n  ${fault}`;
};

type Known = { page?: RegExp; key?: RegExp; fault: RegExp; reason: string };

const KNOWN: readonly Known[] = [];

export const isKnown = ({ page, keys, fault }: Finding): boolean =>
  KNOWN.some(
    (known) =>
      known.fault.test(fault) &&
      (known.page?.test(page) ?? true) &&
      (known.key?.test(keys.at(-1) ?? "") ?? true),
  );
