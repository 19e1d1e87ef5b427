// Decodes pictures in separate processes, a limited number at a time. They start with the first picture and end when
// there is nothing to do.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { programEnvironment } from "../config/programs.ts";
import { Unavailable, Unprocessable } from "../errors.ts";
import { createFairQueue } from "../fair-queue.ts";
import { limited, limitProcessor, makeNice } from "./limited.ts";
import type { Answer, PictureResult, PictureTask } from "./task.ts";

export type Pictures = {
  /**
   * Throws Unprocessable, with one sentence, for a file that is no picture or takes too much; no output file is left.
   */
  work(task: PictureTask): Promise<PictureResult>;
  close(): void;
};

type PicturesOptions = {
  processes: number;
  /** The only folder that the processes may write to. */
  folder: string;
  /** Milliseconds of processor time for a picture. */
  taskMs?: number;
  idleMs?: number;
};

const TASK_MS = 30_000;
const IDLE_MS = 15_000;
/** Waiting pictures of one member or host, and of all; beyond that a requester is asked to retry. */
const MAX_WAITING = { each: 100, all: 2000 };
/** Bytes of data that a process may have. A 33-megapixel picture at 8 bytes a pixel takes 270 MB. */
const DATA_BYTES = 1024 * 1024 * 1024;

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Folder of the modules; it is not below ROOT where Rookery itself is installed as a package. */
const MODULES = /^.*\/node_modules\//.exec(fileURLToPath(import.meta.resolve("sharp")))![0];

/**
 * Environment of the decoders for the C library's allocator. Arenas for each of libvips' threads would take twice the
 * memory. Blocks of some megabytes, which libvips allocates and frees for each picture, are kept: mapping and clearing
 * them each time takes an eighth of the processor time, and the peak is the same.
 */
export const DECODER_MEMORY = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: String(16 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(16 * 1024 * 1024),
};

const startChild = (folder: string): ChildProcess => {
  const child = limited(
    { bytes: DATA_BYTES, what: "data" },
    process.execPath,
    [
      "--permission",
      "--allow-addons",
      `--allow-fs-read=${ROOT}`,
      `--allow-fs-read=${MODULES}`,
      `--allow-fs-read=${folder}`,
      `--allow-fs-write=${folder}`,
      "--max-semi-space-size=1",
      "--max-old-space-size=64",
      "--no-warnings",
      CHILD,
    ],
    (command, args) =>
      spawn(command, args, {
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        env: { ...programEnvironment(), ...DECODER_MEMORY },
      }),
  );
  makeNice(child);
  return child;
};

type Waiting = {
  task: PictureTask;
  resolve: (result: PictureResult) => void;
  reject: (error: Error) => void;
};

/** A process and its current picture; `unwatch` ends the time limit. */
type Worker = { child: ChildProcess; current: Waiting | null; unwatch: (() => void) | null };

const tooMany = () =>
  new Unavailable("Too many pictures are being read. Please try again in a minute", 60);

const TOO_MUCH = "The picture takes too long, or too much memory, to read";

export const createPictures = (options: PicturesOptions): Pictures => {
  const { processes, folder, taskMs = TASK_MS, idleMs = IDLE_MS } = options;
  const waiting = createFairQueue<Waiting>(MAX_WAITING.each);
  const workers = new Set<Worker>();
  let sent = 0;

  const clear = (worker: Worker): Waiting | null => {
    const { current } = worker;
    worker.unwatch?.();
    worker.unwatch = null;
    worker.current = null;
    return current;
  };

  const retire = (worker: Worker, error: Error): void => {
    workers.delete(worker);
    worker.child.kill("SIGKILL");
    clear(worker)?.reject(error);
  };

  const give = (worker: Worker): void => {
    const next = waiting.take();
    if (!next) {
      const timer = setTimeout(() => retire(worker, new Error("idle")), idleMs).unref();
      worker.unwatch = () => clearTimeout(timer);
      return;
    }
    worker.current = next;
    worker.unwatch = limitProcessor(worker.child, taskMs, () => {
      retire(worker, new Unprocessable(TOO_MUCH));
      fill();
    });
    worker.child.send({ id: ++sent, task: next.task });
  };

  const answered = (worker: Worker, answer: Answer): void => {
    const done = clear(worker);
    if ("fault" in answer) done?.reject(new Unprocessable(answer.fault));
    else done?.resolve(answer.result);
    if (!answer.isSpent) return give(worker);
    retire(worker, new Error("spent"));
    fill();
  };

  const start = (): void => {
    const worker: Worker = { child: startChild(folder), current: null, unwatch: null };
    workers.add(worker);
    worker.child.on("message", (message: Answer | { ready: true }) => {
      if (!workers.has(worker)) return;
      if ("ready" in message) give(worker);
      else answered(worker, message);
    });
    const ended = (error: Error): void => {
      if (!workers.has(worker)) return;
      const isStarting = worker.current === null && worker.unwatch === null;
      retire(worker, error);
      if (isStarting) waiting.take()?.reject(new Error("the picture process does not start"));
      fill();
    };
    worker.child.on("error", ended);
    // Linux ends it where memory runs out, which says nothing of the picture: another may have taken it.
    worker.child.on("exit", (_code, signal) =>
      ended(signal === "SIGKILL" ? tooMany() : new Unprocessable(TOO_MUCH)),
    );
  };

  const fill = (): void => {
    const idle = [...workers].find(({ current, unwatch }) => current === null && unwatch !== null);
    if (waiting.size() === 0) return;
    if (idle) {
      clear(idle);
      give(idle);
    } else if (workers.size < processes) start();
  };

  return {
    work(task) {
      const { promise, resolve, reject } = Promise.withResolvers<PictureResult>();
      const isFull = waiting.size() >= MAX_WAITING.all;
      if (isFull || !waiting.add(task.by, { task, resolve, reject })) throw tooMany();
      fill();
      return promise;
    },
    close() {
      const error = new Error("the server is closing");
      for (const request of waiting.drain()) request.reject(error);
      for (const worker of workers) retire(worker, error);
    },
  };
};
