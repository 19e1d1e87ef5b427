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

type Known = { browser?: string; page?: RegExp; key?: RegExp; fault: RegExp; reason: string };

const KNOWN: readonly Known[] = [
  {
    page: /^\/search\?q=/,
    key: /\| Search$/,
    fault: /^the page is loaded anew/,
    reason: "The results of what is in the field are requested again, and are the same.",
  },
  {
    browser: "firefox",
    fault: /^no document gets the press/,
    reason:
      "Driven from outside, Firefox gives some presses below a list that has just opened to no listener of the window, " +
      "neither taps nor those of the mouse, though the document finds the control at that point.",
  },
];

export const isKnown = ({ browser, page, keys, fault }: Finding): boolean =>
  KNOWN.some(
    (known) =>
      known.fault.test(fault) &&
      (known.browser ?? browser) === browser &&
      (known.page?.test(page) ?? true) &&
      (known.key?.test(keys.at(-1) ?? "") ?? true),
  );
