// Finds long turns of the server's event loop, and what ran in them: a mark at the end of each turn, and the samples of
// the CPU profile between two marks.

/** The functions and samples of a CPU profile, with times in microseconds. */
export type ProfileNode = {
  id: number;
  children?: number[];
  callFrame: { functionName: string; url: string; lineNumber: number };
};
export type Profile = {
  nodes: ProfileNode[];
  startTime: number;
  samples: number[];
  timeDeltas: number[];
};

/** The end of a turn by the profile's clock, and the thread's CPU time by then. */
export type Mark = { at: number; cpu: number };

/**
 * Code for the inspector. An unreferenced immediate keeps no loop awake, and runs once in each turn. The thread's CPU
 * time counts: elapsed time would include that in which the machine did something else.
 */
export const MARK_TURNS = `
  globalThis.benchTurns = { marks: [], isOn: true };
  (function mark() {
    const { user, system } = process.threadCpuUsage();
    const at = Math.round(Number(process.hrtime.bigint()) / 1000);
    benchTurns.marks.push({ at, cpu: user + system });
    if (benchTurns.isOn) setImmediate(mark).unref();
  })();
`;
export const END_TURNS = `
  benchTurns.isOn = false;
  JSON.stringify(benchTurns.marks)
`;

const LONG = 5000;

export const placeOf = ({ callFrame }: ProfileNode): string => {
  const file = callFrame.url.replace(/^.*\/(?=src\/|node_modules\/)/, "");
  const place = file === "" ? "" : ` ${file}:${callFrame.lineNumber + 1}`;
  return `${callFrame.functionName || "(anonymous)"}${place}`;
};

/** Returns the functions on the stack of each node, the outermost first. */
const stacksOf = (nodes: ProfileNode[]): Map<number, string[]> => {
  const stacks = new Map<number, string[]>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const walk = (node: ProfileNode, above: string[]): void => {
    const stack = [...above, placeOf(node)];
    stacks.set(node.id, stack);
    for (const id of node.children ?? []) walk(byId.get(id)!, stack);
  };
  walk(nodes[0]!, []);
  return stacks;
};

type Turn = { cpu: number; places: Map<string, number> };

const add = (times: Map<string, number>, name: string, time: number): void =>
  void times.set(name, (times.get(name) ?? 0) + time);

/** Returns functions of our code, or the end of the stack: every function counts once for a sample. */
const placesOf = (stack: string[]): Set<string> => {
  const ours = stack.filter((place) => place.includes(" src/"));
  return new Set([...ours, `(at the end) ${stack.at(-1)!}`]);
};

const turnsOf = ({ nodes, startTime, samples, timeDeltas }: Profile, marks: Mark[]): Turn[] => {
  const stacks = stacksOf(nodes);
  const turns = marks.map(({ cpu }, n): Turn => ({
    cpu: n === 0 ? 0 : cpu - marks[n - 1]!.cpu,
    places: new Map(),
  }));
  let time = startTime;
  let index = 0;
  for (const [n, id] of samples.entries()) {
    time += timeDeltas[n]!;
    while (index < marks.length - 1 && marks[index]!.at < time) index += 1;
    const stack = stacks.get(id)!;
    if (stack.at(-1) === "(idle)") continue;
    for (const place of placesOf(stack)) add(turns[index]!.places, place, timeDeltas[n]!);
  }
  return turns;
};

const milliseconds = (time: number): string => (time / 1000).toFixed(1).padStart(7);

const topOf = (times: Map<string, number>, count: number): [string, number][] =>
  [...times].toSorted((a, b) => b[1] - a[1]).slice(0, count);

/**
 * Returns the CPU time of turns, what ran in those of more than 5 ms (functions with what they call, by elapsed time),
 * and the longest ones.
 */
export const turnLines = (profile: Profile, marks: Mark[]): string[] => {
  const turns = turnsOf(profile, marks).toSorted((a, b) => b.cpu - a.cpu);
  const long = turns.filter(({ cpu }) => cpu > LONG);
  const places = new Map<string, number>();
  for (const turn of long) for (const [place, time] of turn.places) add(places, place, time);
  const at = (share: number): string =>
    milliseconds(turns[Math.floor(turns.length * share)]?.cpu ?? 0).trim();
  return [
    `${turns.length} turns: median ${at(0.5)} ms, 99 % ${at(0.01)}, 99.9 % ${at(0.001)}, longest ${at(0)}; ${long.length} above 5 ms`,
    ...topOf(places, 40).map(([place, time]) => `${milliseconds(time)} ms  ${place}`),
    ...long
      .slice(0, 12)
      .flatMap((turn) => [
        `a turn of ${milliseconds(turn.cpu).trim()} ms`,
        ...topOf(turn.places, 8).map(([place, time]) => `   ${milliseconds(time)} ms  ${place}`),
      ]),
  ];
};
