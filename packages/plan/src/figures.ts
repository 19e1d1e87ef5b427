// What one operation costs, as `npm run bench -- --json FILE` writes it. The included figures were measured on one slow
// core that was shared: for a real plan, measure on the machine.

import { ConfigError } from "./uses.ts";
import { SHIPPED } from "./shipped.ts";
import type { Figure } from "./shipped.ts";
import type { Cost, Work } from "./model.ts";
import { lognormalSpread, sigmaOf } from "./simulation.ts";

export type Figures = {
  work: Work;
  /** Deliveries that each post of the mix causes, which its cost includes. */
  deliveriesIncluded: number;
  /** Megabytes of an active process of ours, and of PostgreSQL without its cache of the disk. */
  processMegabytes: number;
  postgresMegabytes: number;
  socketKilobytes: number;
};

/** Share of writes among the operations of the mix. */
export const WRITE_SHARE = 0.08;
/** Remote followers to whom a post of the benchmark's world is sent. */
const DELIVERIES_INCLUDED = 6.5;
/** Share of an activity's cost until it is accepted. */
const ACCEPT_SHARE = 0.35;

const rowsOf = (text: string, name: string): Figure[] => {
  try {
    const rows = JSON.parse(text) as unknown;
    if (Array.isArray(rows)) return rows as Figure[];
  } catch {
    // The error is thrown below.
  }
  throw new ConfigError(
    `${name} is not what the benchmark writes: npm run bench -- --json ${name}.`,
  );
};

/** `name` is the file's, for error messages. */
export const readFigures = (text: string, name: string): Figures =>
  figuresOf(rowsOf(text, name), name);

export const shippedFigures = (): Figures => figuresOf(SHIPPED, "what is shipped");

const figuresOf = (rows: readonly Figure[], name: string): Figures => {
  const row = (which: string): Figure => {
    const figure = rows.find((each) => each.name === which);
    if (figure) return figure;
    throw new ConfigError(
      `${name} has no figure ${which}: run the whole benchmark, npm run bench -- --json ${name}.`,
    );
  };
  const cost = (which: string): Cost => {
    const { node_ms: node, postgres_ms: postgres } = row(which);
    if (typeof node === "number" && typeof postgres === "number") return { node, postgres };
    throw new ConfigError(`${name} does not say what ${which} costs in node and in PostgreSQL.`);
  };
  const activity = cost("inbox");
  const alone = row("mix_reads_alone");
  const memory = row("mix_memory").value;
  const postgresMegabytes = row("idle_memory_postgres").value;
  return {
    work: {
      ...writesOf(cost("mix"), cost("mix_reads"), cost("post")),
      accept: times(activity, ACCEPT_SHARE),
      activity: times(activity, 1 - ACCEPT_SHARE),
      delivery: cost("delivery"),
      event: cost("stream"),
      spread: lognormalSpread(sigmaOf(alone.p50_ms ?? 1, alone.p99_ms ?? 1)),
    },
    deliveriesIncluded: DELIVERIES_INCLUDED,
    processMegabytes: memory - postgresMegabytes,
    postgresMegabytes,
    socketKilobytes: row("stream_socket").value,
  };
};

export const times = ({ node, postgres }: Cost, factor: number): Cost => ({
  node: node * factor,
  postgres: postgres * factor,
});

/** Returns the costs of writes: the mix minus its reads; what is not part of the request follows from it. */
const writesOf = (mix: Cost, read: Cost, post: Cost): Pick<Work, "read" | "write" | "follow"> => {
  const all = (part: "node" | "postgres"): number =>
    Math.max(post[part], (mix[part] - (1 - WRITE_SHARE) * read[part]) / WRITE_SHARE);
  return {
    read,
    write: post,
    follow: {
      node: all("node") - post.node,
      postgres: all("postgres") - post.postgres,
    },
  };
};
