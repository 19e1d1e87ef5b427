// JSON-LD for Linked Data Signatures, and for nothing else: everything else reads plain JSON.

import type { Json } from "../../platform/json/read.ts";
import { loadContext } from "./contexts.ts";

/** Graphs of blank nodes can be made that take for ever to bring into an order. */
const MAX_MS = 1000;

/** As peers do, members that no context names are left out. */
const OPTIONS = { documentLoader: loadContext, base: "", safe: false };

/** Loaded at the first use: a server that federates little starts without it. */
const library = async () => (await import("./library.ts")).library;

export const expand = async (document: Json): Promise<unknown[]> =>
  (await library()).expand(document, OPTIONS);

export const compact = async (document: object, context: object): Promise<Json> =>
  (await library()).compact(document, context, OPTIONS);

type Canonizing = {
  /** The document is expanded already. */
  isExpanded?: boolean;
  /** It is from elsewhere: rejects where it takes too long. */
  isBounded?: boolean;
};

/** The document's statements as N-Quads in their canonical order (URDNA2015, now RDFC-1.0). */
export const canonical = async (
  document: object,
  { isExpanded = false, isBounded = false }: Canonizing = {},
): Promise<string> =>
  (await library()).canonize(document, {
    ...OPTIONS,
    skipExpansion: isExpanded,
    canonizeOptions: {
      algorithm: "RDFC-1.0",
      ...(isBounded && { signal: AbortSignal.timeout(MAX_MS) }),
    },
  });
