// What a process of tests keeps for several of its files, and ends after the last one (test/lane.ts).

const ends: (() => Promise<unknown>)[] = [];

export const atEnd = (end: () => Promise<unknown>): void => void ends.push(end);

export const endAll = async (): Promise<void> => {
  await Promise.all(ends.splice(0).map((end) => end()));
};
