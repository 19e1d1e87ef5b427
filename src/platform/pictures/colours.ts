// Finds three colours of a picture for the player of a recording: the background, one that contrasts with it, and one
// for its text.

import type { Colours } from "./task.ts";

type Rgb = [number, number, number];

/** Width of a colour group in values of each channel; neighbouring colours count as one. */
const STEP = 32;

const hex = (rgb: Rgb): string =>
  `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;

/** Returns the relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
const luminance = (rgb: Rgb): number => {
  const [r, g, b] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

const contrast = (a: Rgb, b: Rgb): number => {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

/** Minimum contrast of readable text: https://www.w3.org/TR/WCAG22/#contrast-minimum */
const READABLE = 4.5;

/** Returns the colours of a picture, the most frequent first. */
const palette = (pixels: Uint8ClampedArray): Rgb[] => {
  const groups = new Map<number, { count: number; sum: Rgb }>();
  for (let n = 0; n < pixels.length; n += 4) {
    const [r, g, b] = [pixels[n]!, pixels[n + 1]!, pixels[n + 2]!];
    const key = (Math.floor(r / STEP) << 16) | (Math.floor(g / STEP) << 8) | Math.floor(b / STEP);
    const group = groups.get(key) ?? { count: 0, sum: [0, 0, 0] };
    groups.set(key, group);
    group.count += 1;
    group.sum = [group.sum[0] + r, group.sum[1] + g, group.sum[2] + b];
  }
  return [...groups.values()]
    .toSorted((a, b) => b.count - a.count)
    .map(({ count, sum }) => sum.map((value) => value / count) as Rgb);
};

/** Finds the colours; `pixels` are RGBA bytes. */
export const coloursOf = (pixels: Uint8ClampedArray): Colours => {
  const [background = [0, 0, 0] as Rgb, ...others] = palette(pixels);
  const plain: Rgb = luminance(background) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  const readable = others.filter((colour) => contrast(colour, background) >= READABLE);
  const byContrast = others.toSorted((a, b) => contrast(b, background) - contrast(a, background));
  const accent = byContrast[0] ?? plain;
  return {
    background: hex(background),
    foreground: hex(readable[0] ?? plain),
    accent: hex(accent),
  };
};
