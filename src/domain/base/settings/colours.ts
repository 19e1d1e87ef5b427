// Checks that the colour of links and buttons can be read on light pages, and derives that of dark pages.

type Rgb = [red: number, green: number, blue: number];

const HEX = /^#[0-9a-f]{6}$/i;

export const isColour = (text: string): boolean => HEX.test(text);

const rgbOf = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** Returns the relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
const luminance = (hex: string): number => {
  const [red, green, blue] = rgbOf(hex).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Returns the contrast ratio: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export const contrast = (first: string, second: string): number => {
  const [dark, light] = [luminance(first), luminance(second)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
};

/** The least contrast ratio of text (WCAG 2.2, 1.4.3). */
export const ENOUGH = 4.5;

// Backgrounds of web/src/styles/base.css, of each theme the one with less contrast.
const LIGHT_PAPER = "#f5f4f9";
const DARK_PAPER = "#1d1a27";

/** Moves the colour in steps towards black (0) or white (255) until it can be read on the background. */
const readableOn = (paper: string, hex: string, target: 0 | 255, enough: number): string => {
  for (let step = 0; step <= 100; step += 1) {
    const mixed = rgbOf(hex).map((part) => part + ((target - part) * step) / 100) as Rgb;
    const colour = hexOf(mixed);
    if (contrast(colour, paper) >= enough) return colour;
  }
  return target === 0 ? "#000000" : "#ffffff";
};

export const contrastOnLight = (hex: string): number => contrast(hex, LIGHT_PAPER);

/** Returns the nearest darker colour that can be read on light pages, or the colour itself where it can. */
export const darkened = (hex: string): string => readableOn(LIGHT_PAPER, hex, 0, ENOUGH);

/** The contrast ratio of the built-in colour on dark pages. */
const DARK_ENOUGH = 6.5;

export const onDark = (hex: string): string => readableOn(DARK_PAPER, hex, 255, DARK_ENOUGH);

/** Makes a stylesheet that overrides the built-in colour, loaded after those of pages and client. */
export const accentStyle = (hex: string): string => {
  const dark = onDark(hex);
  const pair = (light: string, other: string) => `light-dark(${light}, ${other})`;
  const soft = pair(
    `color-mix(in srgb, ${hex} 12%, #fff)`,
    `color-mix(in srgb, ${dark} 22%, #14121b)`,
  );
  const hover = pair(
    `color-mix(in srgb, ${hex} 82%, #000)`,
    `color-mix(in srgb, ${dark} 80%, #fff)`,
  );
  return [
    `:root { --accent: ${pair(hex, dark)}; --accent-ink: ${pair("#ffffff", "#14121b")}; --accent-soft: ${soft}; }`,
    `.servers-page { --hover: ${hover}; }`,
  ].join("\n");
};
