// Media: pictures of 12 megapixels through the API against sharp alone, home while they and a video are processed, and
// serving a stored file against nginx.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { findProgram } from "../../src/platform/config/programs.ts";
import { startNginx } from "../floors/nginx.ts";
import type { Nginx } from "../floors/nginx.ts";
import { startFloor } from "../floors/process.ts";
import type { Floor } from "../floors/process.ts";
import { load, openConnection, requestBytes } from "../load.ts";
import { whileWorking } from "../measure.ts";
import { SMOKE } from "../options.ts";
import { makeFolder, settled } from "../server.ts";
import { tokenOf } from "../world.ts";
import { CONNECTIONS, perCoreSecond, slowest } from "./scenario.ts";
import type { Bench, Sample, Scenario } from "./scenario.ts";

const ROWS = {
  jpegs: "media_jpegs",
  memory: "media_memory",
  rest: "media_home_rest",
  home: "media_home",
  served: "media_served",
};

const UPLOADS = 20;
/** Of home, a second. */
const PACE = 50;

/** Like a photograph: shapes of all sizes, and noise. */
const makePhoto = async (folder: string, width: number, height: number): Promise<string> => {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 60 };
  const size = { width: width / 8, height: height / 8, channels: 3 as const };
  const create = { ...size, background: "#888", noise };
  const coarse = await sharp({ create }).blur(3).png().toBuffer();
  const path = join(folder, "photo.jpg");
  await sharp(coarse).resize(width, height, { kernel: "cubic" }).jpeg({ quality: 90 }).toFile(path);
  return path;
};

/** null: there is no ffmpeg. MPEG-4, which has to be encoded anew. */
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

/** Home again and again at a fixed pace, until `work` is done. */
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

/** The most that the server and its children took meanwhile, in MB. */
const peakDuring = async (bench: Bench, work: Promise<unknown>): Promise<number> => {
  let peak = 0;
  let isDone = false;
  const ended = work.finally(() => (isDone = true));
  while (!isDone) {
    peak = Math.max(peak, bench.server.memory().total);
    await sleep(100);
  }
  await ended;
  return peak;
};

type Files = { photo: string; video: string | null; folder: string };

export const mediaScenario = (bench: Bench): Scenario => {
  const { world, seconds } = bench;
  const isSmoke = world.size < SMOKE;
  const count = isSmoke ? 2 : UPLOADS;
  let files: Files | null = null;
  let sharpAlone: Floor | null = null;
  let nginx: Nginx | null = null;
  let served = "";

  const send = async (all: Buffer[]): Promise<{ latencies: number[] }> => {
    const result = await load({
      port: bench.server.port,
      connections: 4,
      count: all.length,
      request: (index) => all[index]!,
      onAnswer: ({ body }) =>
        (served = /"url":"[^"]*?(\/media\/[^"]+)"/.exec(String(body))?.[1] ?? served),
    });
    await settled(bench.server);
    return result;
  };
  const photos = (): Buffer[] => {
    const photo = readFileSync(files!.photo);
    return Array.from({ length: count }, (_, n) =>
      uploadBytes(bench, photo, "photo.jpg", 1 + (n % world.viewers)),
    );
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
        photo: await makePhoto(folder, width, height),
        video: makeVideo(folder, isSmoke ? 1 : 20),
      };
      sharpAlone = await startFloor("pictures");
      await send(photos().slice(0, 2));
      if (served === "") throw new Error("the uploads were not processed");
      nginx = await startNginx(folder, join(bench.server.dataDir, served));
    },
    async run() {
      const pids = [bench.server.pid];
      const { result, cpu } = await whileWorking(pids, () => send(photos()));
      const rest = await homeDuring(bench, sleep(seconds * 1000));
      let home: number[] = [];
      const peak = await peakDuring(
        bench,
        homeDuring(bench, send(everything())).then((times) => (home = times)),
      );
      const { port } = bench.server;
      const reading = await whileWorking(pids, () => readServed(port, served));
      return {
        [ROWS.jpegs]: perCoreSecond(count, cpu, result.latencies),
        [ROWS.memory]: { value: peak } satisfies Sample,
        [ROWS.rest]: slowest(rest),
        [ROWS.home]: slowest(home),
        [ROWS.served]: perCoreSecond(reading.result.count, reading.cpu, reading.result.latencies),
      };
    },
    async floor() {
      const path = files!.photo;
      const alone = await whileWorking([sharpAlone!.pid], () =>
        sharpAlone!.ask("make", { path, count }),
      );
      const jpegs = { [ROWS.jpegs]: count / alone.cpu.total };
      if (!nginx) return jpegs;
      const { port, pid } = nginx;
      const { result, cpu } = await whileWorking([pid], () => readServed(port, "/file.jpg"));
      return { ...jpegs, [ROWS.served]: result.count / cpu.total };
    },
  };
};
