// Shuffles pages and controls, in the same order in every run with this seed.

import { seeded } from "../seeded.ts";

export const shuffler = (seed: number) => {
  const next = seeded(seed);
  return <T>(all: readonly T[]): T[] =>
    all
      .map((each) => ({ each, at: next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ each }) => each);
};
