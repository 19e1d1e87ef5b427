// JSON-LD for Linked Data Signatures, and for nothing else: everything else reads plain JSON.

import type { Json } from "../../platform/json/read.ts";
import { loadContext } from "./contexts.ts";

/** Milliseconds for canonicalising: graphs of blank nodes can be made that take for ever to sort. */
const MAX_MS = 1000;

/** Members that no context names are left out, as peers do. */
const OPTIONS = { documentLoader: loadContext, base: "", safe: false };

/** Loads the library at the first use: a server that federates little starts without it. */
const library = async () => (await import("./library.ts")).library;

export const expand = async (document: Json): Promise<unknown[]> =>
  (await library()).expand(document, OPTIONS);

export const compact = async (document: object, context: object): Promise<Json> =>
  (await library()).compact(document, context, OPTIONS);

type Canonizing = {
  /** True when the document is expanded already. */
  isExpanded?: boolean;
  /** True for a document from elsewhere: rejects where it takes too long. */
  isBounded?: boolean;
};

/** Returns the document's statements as N-Quads in canonical order (URDNA2015, now RDFC-1.0). */
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
