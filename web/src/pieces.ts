// Pieces of a document that are bytes already: they stand as marks in the text while it is drawn, and in their places
// once it is whole. Only the server uses it.

import { newId } from "./api/new-id.ts";
import type { Parts } from "./served/pages.ts";

/** Begins a mark; nobody can guess it. */
const MARK = newId();
const END = "|";

const encoder = new TextEncoder();

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

export class Pieces {
  #pieces: Uint8Array[] = [];

  /** Returns the mark of the piece. */
  put(piece: Uint8Array): string {
    return `${MARK}${this.#pieces.push(piece) - 1}${END}`;
  }

  /** Returns the parts of a text that has marks. */
  partsOf(text: string): Parts {
    const [first = "", ...others] = text.split(MARK);
    const rest = others.flatMap((other) => {
      const end = other.indexOf(END);
      return [this.#pieces[Number(other.slice(0, end))]!, other.slice(end + 1)];
    });
    return [first, ...rest];
  }
}
