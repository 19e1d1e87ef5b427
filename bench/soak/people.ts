// People who use the server as apps do: each does one thing after another, tries again what got no response, and
// writes down the responses.

import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "#plan";
import type { Answer } from "../../test/harness.ts";
import { openStream } from "../../test/stream-client.ts";
import type { RealServer, Someone } from "../../test/journeys/server.ts";
import type { Gate } from "./gate.ts";
import { postsThere } from "./ledger.ts";
import type { Ledger, Post } from "./ledger.ts";

export type Stage = {
  server: RealServer;
  people: Someone[];
  ledger: Ledger;
  picture: Buffer;
  isOver: () => boolean;
  gate: Gate;
  daysAhead: () => number;
};

const PAUSE_MS = 100;
const RETRY_MS = 200;
/** Milliseconds of patience: a process that starts again takes some seconds, and nobody waits for ever. */
const PATIENCE_MS = 180_000;
/** Number of somebody's newest posts of which one is changed or deleted. */
const RECENT = 20;

type Send = () => Promise<Answer>;

/** Repeats a request until there is an answer that a server gives on purpose; null where it never came. */
export const answered = async ({ ledger }: Pick<Stage, "ledger">, what: string, send: Send) => {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await send().catch(() => null);
    const status = answer?.status ?? 0;
    if (answer && status >= 200 && status < 500 && status !== 429) {
      ledger.acts += 1;
      return answer;
    }
    ledger.repeated.set(status, (ledger.repeated.get(status) ?? 0) + 1);
    // A proxy answers 502 for a process that was killed, and the server 503 while it is starting.
    if (status === 500) ledger.faults.push(`${what}: 500 ${answer?.text}`);
    if (performance.now() > deadline) {
      ledger.faults.push(`${what}: no answer within ${PATIENCE_MS / 1000} s`);
      return null;
    }
    await sleep(RETRY_MS);
  }
};

/** One of the people, by index, so that nobody changes what somebody else is about to change. */
class Doer {
  readonly #stage: Stage;
  readonly #me: Someone;
  readonly #random: () => number;
  #written = 0;

  constructor(stage: Stage, index: number) {
    this.#stage = stage;
    this.#me = stage.people[index]!;
    this.#random = randomNumbers(index + 1);
  }

  #pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.#random() * items.length)];
  }

  #ask(method: string, path: string, json?: unknown, headers: Record<string, string> = {}) {
    const { token } = this.#me;
    return answered(this.#stage, `${method} ${path}`, () =>
      this.#stage.server.request(method, path, { token, json, headers }),
    );
  }

  #own(): Post | undefined {
    const own = postsThere(this.#stage.ledger).filter(({ author }) => author === this.#me.name);
    return this.#pick(own.slice(-RECENT));
  }

  /** Returns a post of somebody else: one's own is not acted on while it is being deleted. */
  #others(): Post | undefined {
    const others = postsThere(this.#stage.ledger).filter(({ author }) => author !== this.#me.name);
    return this.#pick(others.slice(-RECENT * 5));
  }

  async post(media: string[] = []): Promise<void> {
    const text = `${this.#me.name} ${(this.#written += 1)} #soak`;
    const visibility = this.#pick(["public", "public", "unlisted", "private"]);
    const json = { status: text, visibility, ...(media.length > 0 && { media_ids: media }) };
    const answer = await this.#ask("POST", "/api/v1/statuses", json, { "idempotency-key": text });
    if (answer?.status !== 200) return this.#fault("a post", answer);
    const { id, uri } = answer.json as { id: string; uri: string };
    this.#stage.ledger.posts.set(id, { id, uri, author: this.#me.name, text });
  }

  async upload(): Promise<void> {
    const form = new FormData();
    form.append("file", new Blob([Uint8Array.from(this.#stage.picture)]), "a.png");
    form.append("description", "Half red, half blue");
    const { token } = this.#me;
    const answer = await answered(this.#stage, "an upload", () =>
      this.#stage.server.request("POST", "/api/v2/media", { token, multipart: form }),
    );
    if (this.#isTakenForOld(answer)) return;
    if (answer?.status !== 200 && answer?.status !== 202) return this.#fault("an upload", answer);
    if (await this.#isProcessed(answer.json.id)) await this.post([answer.json.id]);
  }

  /** Whether retention took a new file for one that a crash left: files have the machine's own time. */
  #isTakenForOld(answer: Answer | null): boolean {
    return answer?.status === 422 && this.#stage.daysAhead() >= 2;
  }

  /** Whether a file is processed; the answer is 206 until it is. */
  async #isProcessed(id: string): Promise<boolean> {
    for (;;) {
      const answer = await this.#ask("GET", `/api/v1/media/${id}`);
      if (answer?.status === 200) return true;
      if (this.#isTakenForOld(answer)) return false;
      if (answer?.status !== 206) {
        this.#fault("a picture", answer);
        return false;
      }
      await sleep(RETRY_MS);
    }
  }

  async edit(): Promise<void> {
    const post = this.#own();
    if (!post) return;
    const text = `${post.text} again`;
    const answer = await this.#ask("PUT", `/api/v1/statuses/${post.id}`, { status: text });
    if (answer?.status === 200) post.text = text;
    else this.#fault("a change", answer);
  }

  async delete(): Promise<void> {
    const post = this.#own();
    if (!post) return;
    const answer = await this.#ask("DELETE", `/api/v1/statuses/${post.id}`);
    // An earlier attempt without an answer may have deleted it.
    if (answer?.status === 200 || answer?.status === 404) post.text = null;
    else this.#fault("a deletion", answer);
  }

  /** Marks a post; doing it twice is the same as once. */
  async mark(verb: "favourite" | "bookmark" | "reblog", isOn: boolean): Promise<void> {
    const post = this.#others();
    if (!post) return;
    const path = `/api/v1/statuses/${post.id}/${isOn ? verb : `un${verb}`}`;
    const answer = await this.#ask("POST", path);
    const { favourites, bookmarks, boosts } = this.#stage.ledger;
    const marks = { favourite: favourites, bookmark: bookmarks, reblog: boosts }[verb];
    const key = `${this.#me.name} ${post.id}`;
    if (answer?.status === 200) marks.set(key, isOn);
    // Its author deleted it meanwhile, or it is for their followers, and nobody can boost it.
    else if (answer?.status === 404 || (verb === "reblog" && answer?.status === 403)) return;
    else this.#fault(verb, answer);
  }

  async follow(isOn: boolean): Promise<void> {
    const other = this.#pick(this.#stage.people.filter(({ name }) => name !== this.#me.name));
    if (!other) return;
    const path = `/api/v1/accounts/${other.id}/${isOn ? "follow" : "unfollow"}`;
    const answer = await this.#ask("POST", path);
    if (answer?.status !== 200) return this.#fault("a follow", answer);
    this.#stage.ledger.follows.set(`${this.#me.name} ${other.name}`, isOn);
  }

  async read(): Promise<void> {
    const path = this.#pick([
      "/api/v1/timelines/home",
      "/api/v1/timelines/home",
      "/api/v1/notifications",
      "/api/v1/timelines/public",
      "/api/v1/timelines/tag/soak",
      "/api/v2/search?q=again&type=statuses",
    ])!;
    const answer = await this.#ask("GET", path);
    if (answer && answer.status !== 200 && answer.status !== 206) this.#fault(path, answer);
  }

  #fault(what: string, answer: Answer | null): void {
    if (answer) this.#stage.ledger.faults.push(`${what}: ${answer.status} ${answer.text}`);
  }

  /** Acts with their weights among a hundred. */
  readonly acts: [weight: number, act: () => Promise<void>][] = [
    [22, () => this.post()],
    [3, () => this.upload()],
    [8, () => this.edit()],
    [6, () => this.delete()],
    [12, () => this.mark("favourite", true)],
    [4, () => this.mark("favourite", false)],
    [6, () => this.mark("reblog", true)],
    [2, () => this.mark("reblog", false)],
    [4, () => this.mark("bookmark", true)],
    [2, () => this.mark("bookmark", false)],
    [4, () => this.follow(true)],
    [2, () => this.follow(false)],
    [25, () => this.read()],
  ];

  async next(): Promise<void> {
    let left = this.#random() * this.acts.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, act] of this.acts) if ((left -= weight) < 0) return act();
  }
}

/** Lets each person act until it is over, with an open app. */
export const usePeople = async (stage: Stage): Promise<void> => {
  const use = async (index: number): Promise<void> => {
    const doer = new Doer(stage, index);
    while (!stage.isOver()) {
      await stage.gate.pass(() => doer.next());
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all([
    ...stage.people.map((_, index) => use(index)),
    ...stage.people.map((person) => keepOpen(stage, person)),
  ]);
};

/** Keeps an app open, which comes back when its socket is lost. */
const keepOpen = async ({ server, isOver }: Stage, { token }: Someone): Promise<void> => {
  while (!isOver()) {
    const stream = await openStream(server.url, {
      query: { stream: "user", access_token: token },
    }).catch(() => null);
    while (stream && stream.closeCode === null && !isOver()) {
      stream.frames.length = 0;
      await sleep(PAUSE_MS);
    }
    stream?.socket.terminate();
    await sleep(RETRY_MS);
  }
};
