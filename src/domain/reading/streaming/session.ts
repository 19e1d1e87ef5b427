// Handles one listener's open stream over any transport: its subscriptions, and the filter that every event passes.
// Events that arrive before the listener's blocks and mutes are read, or before there is a transport, are held, so that
// none is lost and none passes unfiltered. A caller that awaits `inForce` before it responds to the client can promise
// that everything published after the response arrives.

import type { App } from "../../../platform/app.ts";
import { BadRequest } from "../../../platform/errors.ts";
import type { RevokedTokens } from "../../people/oauth/events.ts";
import { revokedChannel } from "../../people/oauth/revoke.ts";
import { relationsChannel } from "../../people/relationships/changed.ts";
import type { StreamEvent } from "../timelines/streams.ts";
import { isWanted, loadAudience, withFilters } from "./audience.ts";
import type { Audience } from "./audience.ts";
import type { Listening, Subscription } from "./names.ts";

const MAX_SUBSCRIPTIONS = 100;
const MAX_HELD = 1000;

type Reason = "revoked" | "slow" | "flooding" | "failed" | "stopping";

/** Where the events go: a WebSocket or a text/event-stream. */
export type Sink = {
  send(label: string[], event: StreamEvent): void;
  end(reason: Reason): void;
};

type Send = (audience: Audience, sink: Sink) => void;

export class Session {
  readonly listening: Listening;
  #app: App;
  #sink: Sink | null = null;
  #stops = new Map<string, () => void>();
  #audience: Audience | null = null;
  #isReading = false;
  #isStale = false;
  #waiting: Send[] = [];
  #stopRelations: () => void;
  #stopRevoked: () => void;
  #closed = false;
  /** Why it ended before it began. */
  #ended: Reason | null = null;

  constructor(app: App, listening: Listening) {
    this.#app = app;
    this.listening = listening;
    const relations = relationsChannel(listening.viewer.accountId);
    this.#stopRelations = app.pubsub.subscribe(relations, () => void this.#readAudience());
    // Ends the stream immediately; the job `tokens.revoked` repeats it for every process.
    this.#stopRevoked = app.pubsub.subscribe(revokedChannel(listening.tokenId), () =>
      this.end("revoked"),
    );
    void this.#readAudience();
  }

  /** Sends what was held, and from now on everything. */
  begin(sink: Sink): void {
    this.#sink = sink;
    if (this.#ended) sink.end(this.#ended);
    else this.#release();
  }

  /** Resolves once whatever any process publishes reaches the present subscriptions. */
  inForce(): Promise<void> {
    return this.#app.pubsub.ready();
  }

  /** Reads the listener's exclusions again; events wait meanwhile. */
  refresh(): Promise<void> {
    return this.#readAudience();
  }

  /** Subscribes; is idempotent. Throws BadRequest over the limit. */
  subscribe(subscription: Subscription): void {
    if (this.#closed || this.#stops.has(subscription.key)) return;
    if (this.#stops.size >= MAX_SUBSCRIPTIONS) {
      throw new BadRequest(`A connection can have at most ${MAX_SUBSCRIPTIONS} subscriptions`);
    }
    const { channel, alsoChannel } = subscription;
    const stops = [channel, ...(alsoChannel ? [alsoChannel] : [])].map((name) =>
      this.#app.pubsub.subscribe(name, (event) =>
        this.#receive(subscription, event as StreamEvent),
      ),
    );
    this.#stops.set(subscription.key, () => stops.forEach((stop) => stop()));
  }

  unsubscribe(key: string): void {
    this.#stops.get(key)?.();
    this.#stops.delete(key);
  }

  isRevokedBy({ tokenIds, userId, accountId, appId }: RevokedTokens): boolean {
    const { tokenId, viewer, appId: own } = this.listening;
    return (
      tokenIds?.includes(tokenId) === true ||
      userId === viewer.userId ||
      accountId === viewer.accountId ||
      (viewer.by !== null && (userId === viewer.by.userId || accountId === viewer.by.accountId)) ||
      (own !== null && appId === own)
    );
  }

  /** Reports the reason to the client and closes. */
  end(reason: Reason): void {
    if (this.#closed) return;
    this.close();
    if (this.#sink) this.#sink.end(reason);
    else this.#ended = reason;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Releases everything after the client has disconnected. */
  close(): void {
    this.#closed = true;
    this.#stopRelations();
    this.#stopRevoked();
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
    this.#waiting = [];
  }

  /** Reads the audience (again). Changes during a read cause one more read after it. */
  async #readAudience(): Promise<void> {
    this.#audience = null;
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isStale && !this.#closed) {
        this.#isStale = false;
        await this.#app.pubsub.ready();
        const audience = await loadAudience(this.#app, this.listening.viewer.accountId);
        if (!this.#isStale) this.#audience = audience;
      }
      this.#release();
    } catch (error) {
      this.#app.log.warn({ err: error }, "a stream could not read its listener's blocks and mutes");
      this.end("failed");
    } finally {
      this.#isReading = false;
    }
  }

  #release(): void {
    const [audience, sink] = [this.#audience, this.#sink];
    if (!audience || !sink) return;
    for (const send of this.#waiting.splice(0)) send(audience, sink);
  }

  /** Sends now, or after the events that are held, so that the order is kept. */
  #inTurn(send: Send): void {
    if (this.#audience && this.#sink) send(this.#audience, this.#sink);
    else if (this.#waiting.push(send) > MAX_HELD) this.end("slow");
  }

  /** Answers the client's message in order, once the earlier subscriptions are in force. */
  async answer(send: () => void): Promise<void> {
    await this.inForce();
    if (!this.#closed) this.#inTurn(send);
  }

  #receive(subscription: Subscription, event: StreamEvent): void {
    if (subscription.events?.has(event.event) === false) return;
    if (subscription.without.has(event.event)) return;
    this.#inTurn((audience, sink) => {
      if (this.#stops.has(subscription.key)) this.#deliver(subscription, event, audience, sink);
    });
  }

  #deliver(subscription: Subscription, event: StreamEvent, audience: Audience, sink: Sink): void {
    const { facts } = event;
    const now = this.#app.clock.now();
    if (facts && !isWanted(audience, facts, now, subscription.byLanguage)) return;
    const own = event.isPersonal ? event : withFilters(audience, event, now);
    sink.send(subscription.label, own);
  }
}
