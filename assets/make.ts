// Draws the pictures of this folder: `node assets/make.ts`. The same bird, colours and bytes each
// time; run it again when the drawing changes. Not part of the running server.

import { writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { BIRD } from "../src/platform/http/style.ts";
import { pngChunk } from "../src/platform/pictures/png-chunk.ts";

type Point = [number, number];
type Colour = [number, number, number];

const ACCENT: Colour = [0x5b, 0x3f, 0xc4];
const WHITE: Colour = [255, 255, 255];
const PALE: Colour = [0xe4, 0xdf, 0xf6];
const MIDDLE: Colour = [0xa9, 0x9b, 0xdd];
const BIRD_BOX = 24;
const CURVE_STEPS = 12;
/** Samples a pixel in each direction. */
const FINE = 4;

const bezier = ([a, b, c, d]: [Point, Point, Point, Point], t: number): Point => {
  const u = 1 - t;
  const at = (i: 0 | 1) =>
    u ** 3 * a[i] + 3 * u * u * t * b[i] + 3 * u * t * t * c[i] + t ** 3 * d[i];
  return [at(0), at(1)];
};

const COUNTS: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, z: 0 };

/** The corners of an SVG path of M, L, H, V, C, Z in either case; one closed shape. */
const corners = (path: string): Point[] => {
  const points: Point[] = [];
  let [x, y] = [0, 0];
  const step = (command: string, n: number[]) => {
    const [dx, dy] = command === command.toLowerCase() ? [x, y] : [0, 0];
    const kind = command.toLowerCase();
    if (kind === "c") {
      const curve = [0, 2, 4].map((i): Point => [n[i]! + dx, n[i + 1]! + dy]) as [
        Point,
        Point,
        Point,
      ];
      const from: Point = [x, y];
      for (let i = 1; i <= CURVE_STEPS; i++) points.push(bezier([from, ...curve], i / CURVE_STEPS));
    } else if (kind === "h") points.push([n[0]! + dx, y]);
    else if (kind === "v") points.push([x, n[0]! + dy]);
    else points.push([n[0]! + dx, n[1]! + dy]);
    [x, y] = points.at(-1)!;
  };
  for (const [, command, rest] of path.matchAll(/([a-z])([^a-z]*)/gi)) {
    const numbers = (rest!.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const size = COUNTS[command!.toLowerCase()]!;
    const steps = size === 0 ? 0 : Math.floor(numbers.length / size);
    for (let i = 0; i < steps; i++) step(command!, numbers.slice(i * size, (i + 1) * size));
  }
  return points;
};

/** Is the point inside the shape (even-odd)? */
const inside = (shape: Point[], [x, y]: Point): boolean => {
  let result = false;
  for (let i = 0, j = shape.length - 1; i < shape.length; j = i++) {
    const [[ax, ay], [bx, by]] = [shape[i]!, shape[j]!];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) result = !result;
  }
  return result;
};

/** A PNG (RGBA, 8 bits) of what `paint` gives for each pixel: red, green, blue, opacity. */
const png = (width: number, height: number, paint: (x: number, y: number) => number[]): Buffer => {
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(paint(x, y), y * (width * 4 + 1) + 1 + x * 4);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    pngChunk("IHDR", head),
    pngChunk("IDAT", deflateSync(rows, { level: 9 })),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
};

/** How much of a pixel a test covers, from 0 to 1. */
const coverage = (x: number, y: number, test: (point: Point) => boolean): number => {
  let hits = 0;
  for (let i = 0; i < FINE * FINE; i++) {
    const at: Point = [x + ((i % FINE) + 0.5) / FINE, y + (Math.floor(i / FINE) + 0.5) / FINE];
    if (test(at)) hits += 1;
  }
  return hits / FINE ** 2;
};

const mix = (under: Colour, over: Colour, part: number): Colour =>
  under.map((value, i) => Math.round(value + (over[i]! - value) * part)) as Colour;

type Drawing = {
  width: number;
  height: number;
  /** Side of the bird's box, which stands in the middle. */
  bird: number;
  ground: Colour;
  ink: Colour;
  /** Radius of the corners. */
  round?: number;
};

const inRounded = ({ width, height, round = 0 }: Drawing, [x, y]: Point): boolean => {
  const dx = Math.max(round - x, x - (width - round), 0);
  const dy = Math.max(round - y, y - (height - round), 0);
  return dx * dx + dy * dy <= round * round || round === 0;
};

const draw = (drawing: Drawing): Buffer => {
  const { width, height, bird, ground, ink } = drawing;
  const scale = bird / BIRD_BOX;
  const shape = corners(BIRD).map(([x, y]): Point => [
    x * scale + (width - bird) / 2,
    y * scale + (height - bird) / 2,
  ]);
  const [left, right] = [(width - bird) / 2, (width + bird) / 2];
  const [top, bottom] = [(height - bird) / 2, (height + bird) / 2];
  return png(width, height, (x, y) => {
    const near = bird > 0 && x >= left - 1 && x <= right && y >= top - 1 && y <= bottom;
    const colour = near
      ? mix(
          ground,
          ink,
          coverage(x, y, (at) => inside(shape, at)),
        )
      : ground;
    const opacity = drawing.round ? coverage(x, y, (at) => inRounded(drawing, at)) : 1;
    return [...colour, Math.round(opacity * 255)];
  });
};

const icon = (side: number): Buffer =>
  draw({
    width: side,
    height: side,
    bird: side * 0.75,
    ground: ACCENT,
    ink: WHITE,
    round: side * 0.2,
  });

/** An .ico with one PNG inside. */
const ico = (side: number): Buffer => {
  const image = icon(side);
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([side, side, 0, 0, 1, 0, 32, 0], 6);
  head.writeUInt32LE(image.length, 14);
  head.writeUInt32LE(22, 18);
  return Buffer.concat([head, image]);
};

const save = (name: string, data: Buffer): void =>
  writeFileSync(new URL(name, import.meta.url), data);

for (const side of [48, 96, 192, 512]) save(`icon-${side}.png`, icon(side));
save("icon-maskable.png", draw({ width: 512, height: 512, bird: 330, ground: ACCENT, ink: WHITE }));
save("favicon.ico", ico(48));
save("avatar.png", draw({ width: 400, height: 400, bird: 240, ground: PALE, ink: MIDDLE }));
save("header.png", draw({ width: 1500, height: 500, bird: 0, ground: PALE, ink: PALE }));
save("preview.png", draw({ width: 1200, height: 630, bird: 380, ground: ACCENT, ink: WHITE }));
