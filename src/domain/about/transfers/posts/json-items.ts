// Reads the items of a large JSON file, one after the other, without the whole file in memory: the elements of the
// first array called `orderedItems`, or of the array that the file is. Items that are no objects are skipped.

import { createReadStream } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { parseValue } from "../../../../platform/json/read.ts";
import { ITEM_BYTES } from "./limits.ts";

const START = /^\ufeff?\s*\[|"orderedItems"\s*:\s*\[/;
/** Characters that may precede the array. */
const HEAD_LENGTH = 1024 * 1024;

class Items {
  #text = "";
  #isIn = false;
  #isOver = false;
  /** Position up to which the item was scanned, and its depth. */
  #at = 0;
  #depth = 0;
  #inText = false;
  #start = -1;
  #maxLength: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get isFound(): boolean {
    return this.#isIn;
  }

  #findStart(): boolean {
    const match = START.exec(this.#text);
    if (!match) {
      if (this.#text.length > HEAD_LENGTH) throw new Error("no items");
      return false;
    }
    this.#text = this.#text.slice(match.index + match[0].length);
    this.#isIn = true;
    return true;
  }

  /** Returns the items that end in this piece; items that are too long are left out. */
  push(piece: string): string[] {
    if (this.#isOver) return [];
    this.#text += piece;
    if (!this.#isIn && !this.#findStart()) return [];
    const items: string[] = [];
    while (this.#at < this.#text.length && !this.#isOver) {
      const item = this.#step();
      if (item !== null && item.length <= this.#maxLength) items.push(item);
    }
    this.#forget();
    return items;
  }

  /** Scans one character; returns the item that ends with it. */
  #step(): string | null {
    const letter = this.#text[this.#at];
    if (this.#inText) {
      // An escape that is cut by the end of a piece is scanned again with the next one.
      if (letter === "\\") this.#at += 1;
      else if (letter === '"') {
        this.#inText = false;
        if (this.#depth === 0) return this.#end();
      }
    } else if (letter === '"') {
      if (this.#depth === 0) this.#start = this.#at;
      this.#inText = true;
    } else if (letter === "{" || letter === "[") {
      if (this.#depth === 0) this.#start = this.#at;
      this.#depth += 1;
    } else if (letter === "}" || letter === "]") {
      if (this.#depth === 0) {
        this.#isOver = true;
        return null;
      }
      this.#depth -= 1;
      if (this.#depth === 0) return this.#end();
    }
    this.#at += 1;
    return null;
  }

  /** Returns the item that ends here. */
  #end(): string {
    this.#at += 1;
    const item = this.#text.slice(this.#start, this.#at);
    this.#start = -1;
    return item;
  }

  /** Drops scanned text, and the beginning of an item that is too long already. */
  #forget(): void {
    const isLong = this.#start >= 0 && this.#at - this.#start > this.#maxLength;
    const from =
      this.#start < 0
        ? Math.min(this.#at, this.#text.length)
        : isLong
          ? this.#at - this.#maxLength
          : this.#start;
    this.#text = this.#text.slice(from);
    this.#at -= from;
    // One character more than allowed is kept, so that the item is left out at its end, too.
    if (isLong) {
      this.#text = ` ${this.#text}`;
      this.#at += 1;
    }
    if (this.#start >= 0) this.#start = 0;
  }
}

/** Yields the JSON text of each item; throws where there are none to be found. */
export const jsonItems = async function* (
  source: AsyncIterable<Buffer>,
  maxLength: number,
): AsyncGenerator<string> {
  const items = new Items(maxLength);
  const decoder = new StringDecoder("utf8");
  for await (const piece of source) yield* items.push(decoder.write(piece));
  if (!items.isFound) throw new Error("no items");
};

/** Yields the items of a file, parsed. */
export const itemsIn = async function* (path: string): AsyncGenerator<unknown> {
  for await (const text of jsonItems(createReadStream(path), ITEM_BYTES)) yield parseValue(text);
};
