// Pubsub through a cluster (docs/design/several-processes.md). Channels are divided into parts with one slot each. An
// event goes to the node that has the slot, which passes it only to subscribers at that node. So a process subscribes
// at each master that has channels of it, and follows a part whose slot moves or whose node is replaced.

import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { chunks } from "../chunks.ts";
import { untilReady } from "../redis/connection.ts";
import type { ClusterNodes, Connection } from "../redis/connection.ts";
import { isMoving, spread, wholeSlot } from "../redis/whole-slot.ts";
import { CHUNK, askerOf } from "./wire.ts";
import type { Wire, WireEvents } from "./wire.ts";

/**
 * Parts of the channels. Few, because publishing to or asking for several parts takes a call for each; enough for as
 * many masters, over which their slots are spread evenly.
 */
const PARTS = 16;
const SLOTS = 16_384;
/** Milliseconds after which a node that does not answer, or has no successor yet, is asked again. */
const AGAIN_MS = 200;
/** Moves of a slot that are followed at once. */
const MOVES = 4;
const PING_MS = 5000;

/** Returns for each part a text that is hashed into its share of the slots. */
const makeTags = ({ slotOf }: ClusterNodes): string[] => {
  const tags = new Map<number, string>();
  for (let n = 0; tags.size < PARTS; n++) {
    const part = Math.floor((slotOf(String(n)) * PARTS) / SLOTS);
    if (!tags.has(part)) tags.set(part, String(n));
  }
  return [...tags.keys()].sort((a, b) => a - b).map((part) => tags.get(part)!);
};

const partOf = (channel: string): number => spread(channel) % PARTS;

/** Returns the new node in `MOVED 3999 10.0.0.2:6379`. */
const movedTo = (error: unknown): string | null =>
  /^MOVED \d+ (\S+:\d+)$/.exec((error as Error).message)?.[1] ?? null;

type Listener = { node: Redis; ready: Promise<void> };

/** The connections that listen, one for each node. */
class Listeners {
  readonly #nodes: ClusterNodes;
  readonly #all = new Map<string, Listener>();
  readonly #begin: (place: string, node: Redis) => void;

  constructor(nodes: ClusterNodes, begin: (place: string, node: Redis) => void) {
    this.#nodes = nodes;
    this.#begin = begin;
  }

  async at(place: string): Promise<Redis> {
    const { node, ready } = this.#all.get(place) ?? this.#open(place);
    await ready;
    return node;
  }

  present(place: string | null): Redis | null {
    const listener = place === null ? undefined : this.#all.get(place);
    return listener?.node.status === "ready" ? listener.node : null;
  }

  /** Pings the nodes, because a connection that only listens would not notice that its node is gone. */
  ping(): void {
    for (const { node } of this.#all.values()) {
      if (node.status === "ready") node.ping().catch(() => {});
    }
  }

  closeBut(places: ReadonlySet<string | null>): void {
    for (const [place, { node }] of this.#all) if (!places.has(place)) node.disconnect();
  }

  #open(place: string): Listener {
    const node = this.#nodes.listenAt(place);
    const listener = { node, ready: untilReady(node) };
    listener.ready.catch(() => node.disconnect());
    this.#all.set(place, listener);
    node.on("error", () => {}); // it is closed then
    node.on("close", () => this.#all.delete(place));
    this.#begin(place, node);
    return listener;
  }
}

/**
 * `at` is the node where the part is subscribed, null when that is not certain; `was` is the node before, null if that
 * was lost.
 */
type Part = {
  slot: number;
  prefix: string;
  channels: Set<string>;
  fresh: Set<string>;
  gone: Set<string>;
  at: string | null;
  was: string | null;
  /** Whether the subscription was ever active, so that an event can have been missed. */
  isKnown: boolean;
  now: Promise<void>;
  next: Promise<void> | null;
};

class ClusterWire implements Wire {
  readonly partOf = partOf;
  readonly #nodes: ClusterNodes;
  readonly #listeners: Listeners;
  readonly #tell: WireEvents;
  readonly #redis: Connection["redis"];
  readonly #ask: ReturnType<typeof askerOf>;
  readonly #parts: Part[];
  readonly #pings: NodeJS.Timeout;
  #isClosed = false;

  constructor(connection: Connection, tell: WireEvents) {
    this.#nodes = connection.cluster!;
    this.#tell = tell;
    this.#redis = connection.redis;
    this.#ask = askerOf(connection.redis, "SHARDNUMSUB", 2);
    this.#parts = makeTags(this.#nodes).map((tag) => ({
      slot: this.#nodes.slotOf(tag),
      prefix: `${connection.prefix}events:{${tag}}:`,
      channels: new Set(),
      fresh: new Set(),
      gone: new Set(),
      at: null,
      was: null,
      isKnown: false,
      now: Promise.resolve(),
      next: null,
    }));
    this.#listeners = new Listeners(this.#nodes, (place, node) => this.#watch(place, node));
    this.#nodes.watch(() => this.#followSlots());
    this.#pings = setInterval(() => this.#listeners.ping(), PING_MS).unref();
  }

  /** Publishes each event by itself: while a slot moves, scripts run at the new node before the listeners are there. */
  async publish(part: number, texts: string[]): Promise<void> {
    const { prefix } = this.#parts[part]!;
    const sent: Promise<unknown>[] = [];
    for (let n = 0; n < texts.length; n += 2) {
      sent.push(this.#redis.spublish(prefix + texts[n]!, texts[n + 1]!));
    }
    await Promise.all(sent);
  }

  /** While a slot moves nobody can tell, so all channels count as listened to. */
  listened(part: number, channels: string[]): Promise<string[]> {
    const { prefix } = this.#parts[part]!;
    return this.#ask(wholeSlot(prefix), channels).catch((error: unknown) => {
      if (isMoving(error)) return channels;
      throw error;
    });
  }

  subscribe(channel: string): Promise<void> {
    const part = this.#parts[partOf(channel)]!;
    part.channels.add(channel);
    part.fresh.add(channel);
    part.gone.delete(channel);
    return this.#settle(part);
  }

  unsubscribe(channel: string): Promise<void> {
    const part = this.#parts[partOf(channel)]!;
    part.channels.delete(channel);
    part.fresh.delete(channel);
    part.gone.add(channel);
    return this.#settle(part);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#pings);
    this.#listeners.closeBut(new Set());
  }

  #watch(place: string, node: Redis): void {
    node.on("smessage", (name: string, text: string) => {
      this.#tell.receive(name.slice(name.indexOf("}:") + 2), text);
    });
    node.on("close", () => this.#leave(place, true));
    // One of the node's slots has moved; the client does not say which.
    node.on("moved", () => this.#leave(place, false));
  }

  /** Subscribes the parts of a node again, wherever they are now. */
  #leave(place: string, isLost: boolean): void {
    for (const part of this.#parts) {
      if (part.at === place || part.was === place) this.#move(part, isLost ? null : place);
    }
  }

  #move(part: Part, was: string | null): void {
    [part.at, part.was] = [null, was];
    void this.#settle(part);
  }

  #followSlots(): void {
    if (this.#isClosed) return;
    for (const part of this.#parts) {
      const owner = this.#nodes.ownerOf(part.slot);
      if (part.at !== null && owner !== null && part.at !== owner) this.#move(part, part.at);
    }
    this.#listeners.closeBut(
      new Set(this.#parts.flatMap(({ at, was, slot }) => [at, was, this.#nodes.ownerOf(slot)])),
    );
  }

  /** Settles a part; calls run one after the other, and calls that come meanwhile share the next run. */
  #settle(part: Part): Promise<void> {
    part.next ??= part.now.then(() => {
      part.next = null;
      part.now = this.#apply(part);
      return part.now;
    });
    return part.next;
  }

  async #apply(part: Part): Promise<void> {
    if (this.#isClosed) return;
    try {
      const node = this.#listeners.present(part.at);
      if (node) await this.#change(node, part);
      else if (part.channels.size > 0) await this.#begin(part);
      else part.gone.clear();
    } catch {
      part.was ??= part.at;
      part.at = null;
      if (part.was === null) part.gone.clear(); // it is subscribed nowhere
      this.#nodes.refresh();
      void sleep(AGAIN_MS, null, { ref: false }).then(() => this.#settle(part));
    }
  }

  async #change(node: Redis, { prefix, fresh, gone }: Part): Promise<void> {
    const [begun, ended] = [[...fresh], [...gone]];
    for (const names of chunks(begun, CHUNK))
      await node.ssubscribe(...names.map((name) => prefix + name));
    for (const names of chunks(ended, CHUNK)) {
      await node.sunsubscribe(...names.map((name) => prefix + name));
    }
    for (const name of begun) fresh.delete(name);
    for (const name of ended) gone.delete(name);
  }

  /** Subscribes to all channels of the part at the node that has its slot. */
  async #begin(part: Part): Promise<void> {
    let place = this.#nodes.ownerOf(part.slot);
    for (let moves = 0; ; moves++) {
      if (place === null) throw new Error("nobody has the slot");
      try {
        await this.#beginAt(place, part);
        return;
      } catch (error) {
        place = movedTo(error);
        if (place === null || moves === MOVES) throw error;
      }
    }
  }

  async #beginAt(place: string, part: Part): Promise<void> {
    const node = await this.#listeners.at(place);
    const { fresh, was, isKnown } = part;
    for (const channel of part.channels) fresh.add(channel);
    await this.#change(node, part);
    [part.at, part.was, part.isKnown] = [place, null, true];
    if (was === place) return;
    if (was !== null) await this.#forgetAt(was, part);
    if (isKnown) this.#tell.missed();
  }

  /** Unsubscribes at the node before: a node that has become a replica passes events on, too. */
  async #forgetAt(place: string, { prefix, channels }: Part): Promise<void> {
    const node = this.#listeners.present(place);
    const names = [...channels].map((channel) => prefix + channel);
    for (const some of chunks(names, CHUNK)) await node?.sunsubscribe(...some).catch(() => {});
  }
}

export const wireOfCluster = (connection: Connection, tell: WireEvents): Wire =>
  new ClusterWire(connection, tell);
