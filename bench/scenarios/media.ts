// Measures media: pictures of 12 megapixels through the API against sharp alone, in turns within the same seconds; home
// and memory while they and a video are processed; serving a stored file against nginx.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { findProgram } from "../../src/platform/config/programs.ts";
import { DECODER_MEMORY } from "../../src/platform/pictures/index.ts";
import { startNginx } from "../floors/nginx.ts";
import type { Nginx } from "../floors/nginx.ts";
import { startFloor } from "../floors/process.ts";
import type { Floor } from "../floors/process.ts";
import { load, openConnection, requestBytes } from "../load.ts";
import type { LoadResult } from "../load.ts";
import { whileWorking } from "../measure.ts";
import type { Cpu, Memory } from "../measure.ts";
import { SMOKE } from "../options.ts";
import { median } from "../results.ts";
import { makeFolder, settled } from "../server.ts";
import { tokenOf } from "../world.ts";
import { CONNECTIONS, perCoreSecond, slowest } from "./scenario.ts";
import type { Bench, Sample, Scenario } from "./scenario.ts";

const ROWS = {
  jpegs: "media_jpegs",
  memory: "media_memory",
  programs: "media_memory_programs",
  rest: "media_home_rest",
  home: "media_home",
  served: "media_served",
};

const UPLOADS = 20;
/** Pictures of server and floor in each turn, and turns in a round. */
const HANDFUL = 2;
const PAIRS = 10;
/** Small pictures before anything is measured, so that the server's code is compiled. */
const WARM_UPLOADS = 60;
/** Milliseconds for the end of the last job after the answer: completing it, deleting the files. */
const AFTER_MS = 200;
/** Requests of home per second. */
const PACE = 50;

/** Makes a picture like a photograph: shapes of all sizes, and noise. */
const makePhoto = async (path: string, width: number, height: number): Promise<string> => {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 60 };
  const size = { width: width / 8, height: height / 8, channels: 3 as const };
  const create = { ...size, background: "#888", noise };
  const coarse = await sharp({ create }).blur(3).png().toBuffer();
  await sharp(coarse).resize(width, height, { kernel: "cubic" }).jpeg({ quality: 90 }).toFile(path);
  return path;
};

/** Makes an MPEG-4 video, which has to be encoded again; null where there is no ffmpeg. */
const makeVideo = (folder: string, seconds: number): string | null => {
  const ffmpeg = findProgram("ffmpeg");
  if (ffmpeg === null) return null;
  const path = join(folder, "video.mp4");
  const source = `testsrc=size=1280x720:rate=30:duration=${seconds}`;
  const args = [
    "-v",
    "error",
    "-y",
    "-f",
    "lavfi",
    "-i",
    source,
    "-c:v",
    "mpeg4",
    "-q:v",
    "4",
    path,
  ];
  const { status } = spawnSync(ffmpeg, args);
  return status === 0 ? path : null;
};

const uploadBytes = (bench: Bench, file: Buffer, name: string, viewer: number): Buffer => {
  const boundary = "rookerybench";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const plain = requestBytes("POST", "/api/v2/media", {
    host: bench.world.host,
    token: tokenOf(viewer),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  }).toString("latin1");
  const length = `content-length: ${body.length}`;
  return Buffer.concat([Buffer.from(plain.replace("content-length: 0", length), "latin1"), body]);
};

/** Requests home at a fixed pace, until `work` is done. */
const homeDuring = async (bench: Bench, work: Promise<unknown>): Promise<number[]> => {
  const request = requestBytes("GET", "/api/v1/timelines/home", {
    host: bench.world.host,
    token: tokenOf(1),
  });
  const connection = await openConnection(bench.server.port);
  const times: number[] = [];
  let isDone = false;
  const ended = work.finally(() => (isDone = true));
  do {
    const sent = performance.now();
    await connection.ask(request);
    times.push(performance.now() - sent);
    await sleep(Math.max(0, 1000 / PACE - (performance.now() - sent)));
  } while (!isDone);
  connection.close();
  await ended;
  return times;
};

/** Returns the peak memory in MB of the server and its children, and of the picture process with ffmpeg alone. */
const peakDuring = async (
  bench: Bench,
  work: Promise<unknown>,
): Promise<Pick<Memory, "total" | "programs">> => {
  const peak = { total: 0, programs: 0 };
  let isDone = false;
  const ended = work.finally(() => (isDone = true));
  while (!isDone) {
    const { total, programs } = bench.server.memory();
    peak.total = Math.max(peak.total, total);
    peak.programs = Math.max(peak.programs, programs);
    await sleep(100);
  }
  await ended;
  return peak;
};

type Files = { photo: string; small: string; video: string | null; folder: string };

/** The costs of the same pictures on both sides, one after the other. */
type Pair = { cpu: Cpu; floor: Cpu; latencies: number[] };

const sumOf = (all: Cpu[]): Cpu => {
  const sum = (of: keyof Cpu) => all.reduce((total, cpu) => total + cpu[of], 0);
  return {
    node: sum("node"),
    postgres: sum("postgres"),
    valkey: sum("valkey"),
    total: sum("total"),
  };
};

const sampleOf = (pairs: Pair[], count: number): Sample => ({
  ...perCoreSecond(
    pairs.length * count,
    sumOf(pairs.map(({ cpu }) => cpu)),
    pairs.flatMap(({ latencies }) => latencies),
  ),
  ratio: median(pairs.map(({ cpu, floor }) => floor.total / cpu.total)),
});

export const mediaScenario = (bench: Bench): Scenario => {
  const { world, seconds } = bench;
  const isSmoke = world.size < SMOKE;
  const count = isSmoke ? 2 : UPLOADS;
  const handful = isSmoke ? 1 : HANDFUL;
  let files: Files | null = null;
  let sharpAlone: Floor | null = null;
  let nginx: Nginx | null = null;
  let served = "";
  let floorJpegs = 0;

  const send = (all: Buffer[], connections = 4): Promise<LoadResult> =>
    load({
      port: bench.server.port,
      connections,
      count: all.length,
      request: (index) => all[index]!,
      onAnswer: ({ body }) =>
        (served = /"url":"[^"]*?(\/media\/[^"]+)"/.exec(String(body))?.[1] ?? served),
    });
  const sendAll = async (all: Buffer[]): Promise<void> => {
    await send(all);
    await settled(bench.server);
  };
  const copies = (path: string, many: number): Buffer[] => {
    const picture = readFileSync(path);
    return Array.from({ length: many }, (_, n) =>
      uploadBytes(bench, picture, "photo.jpg", 1 + (n % world.viewers)),
    );
  };
  const photos = (): Buffer[] => copies(files!.photo, count);
  /** Measures one picture at a time on both sides. */
  const measurePair = async (): Promise<Pair> => {
    const all = copies(files!.photo, handful);
    const ours = await whileWorking([bench.server.pid], async () => {
      const { latencies } = await send(all, 1);
      await sleep(AFTER_MS);
      return latencies;
    });
    const alone = await whileWorking([sharpAlone!.pid], () =>
      sharpAlone!.ask("make", { path: files!.photo, count: handful }),
    );
    return { cpu: ours.cpu, floor: alone.cpu, latencies: ours.result };
  };
  const everything = (): Buffer[] => {
    const { video } = files!;
    return video === null
      ? photos()
      : [uploadBytes(bench, readFileSync(video), "video.mp4", 1), ...photos()];
  };
  const readServed = (port: number, path: string) => {
    const request = requestBytes("GET", path, { host: world.host });
    return load({ port, connections: CONNECTIONS, seconds, request: () => request });
  };

  return {
    name: "media",
    rows: [
      { name: ROWS.jpegs, unit: "12 MP JPEGs/core s", aim: { of: "ratio", least: 0.85 } },
      { name: ROWS.memory, unit: "MB at most", aim: { of: "value", most: 400 } },
      { name: ROWS.programs, unit: "MB at most", aim: null },
      { name: ROWS.rest, unit: "ms", aim: null },
      { name: ROWS.home, unit: "ms", aim: null },
      { name: ROWS.served, unit: "requests/core s", aim: null },
    ],
    last: true,
    async prepare() {
      const folder = makeFolder();
      const [width, height] = isSmoke ? [480, 320] : [4000, 3000];
      files = {
        folder,
        photo: await makePhoto(join(folder, "photo.jpg"), width, height),
        small: await makePhoto(join(folder, "small.jpg"), 480, 320),
        video: makeVideo(folder, isSmoke ? 1 : 20),
      };
      sharpAlone = await startFloor("pictures", DECODER_MEMORY);
      await sendAll(copies(files.small, isSmoke ? 1 : WARM_UPLOADS));
      await measurePair();
      if (served === "") throw new Error("the uploads were not processed");
      nginx = await startNginx(folder, join(bench.server.dataDir, served));
    },
    async run() {
      const pids = [bench.server.pid];
      const pairs: Pair[] = [];
      for (let n = 0; n < (isSmoke ? 1 : PAIRS); n++) pairs.push(await measurePair());
      floorJpegs = (handful * pairs.length) / sumOf(pairs.map(({ floor }) => floor)).total;
      await settled(bench.server);
      const rest = await homeDuring(bench, sleep(seconds * 1000));
      let home: number[] = [];
      const peak = await peakDuring(
        bench,
        homeDuring(bench, sendAll(everything())).then((times) => (home = times)),
      );
      const { port } = bench.server;
      const reading = await whileWorking(pids, () => readServed(port, served));
      return {
        [ROWS.jpegs]: sampleOf(pairs, handful),
        [ROWS.memory]: { value: peak.total } satisfies Sample,
        [ROWS.programs]: { value: peak.programs } satisfies Sample,
        [ROWS.rest]: slowest(rest),
        [ROWS.home]: slowest(home),
        [ROWS.served]: perCoreSecond(reading.result.count, reading.cpu, reading.result.latencies),
      };
    },
    async floor() {
      const jpegs = { [ROWS.jpegs]: floorJpegs };
      if (!nginx) return jpegs;
      const { port, pid } = nginx;
      const { result, cpu } = await whileWorking([pid], () => readServed(port, "/file.jpg"));
      return { ...jpegs, [ROWS.served]: result.count / cpu.total };
    },
  };
};
