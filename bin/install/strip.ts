// Takes from a program of Linux what only debuggers read: a fourth of Node. https://gabi.xinuos.com/elf/

import { closeSync, copyFileSync, ftruncateSync, openSync, readSync, renameSync } from "node:fs";
import { rmSync, writeSync } from "node:fs";

/** The first bytes of a program for 64-bit little-endian processors. */
const MAGIC = "7f454c460201";
/** Bytes of the header, and of an entry of the table of sections. */
const HEADER = 64;
const ENTRY = 64;
/** Where the header says where the table is, how many entries it has, and which one has the names of all. */
const TABLE = 40;
const COUNT = 60;
const NAMES = 62;
/** Where an entry has its type, flags, place and size. */
const TYPE = 4;
const FLAGS = 8;
const PLACE = 24;
const SIZE = 32;

const WITHOUT_BYTES = 8;
const LOADED = 2n;

const read = (file: number, place: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, place);
  return bytes;
};

const numberAt = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

const aligned = (place: number): number => Math.ceil(place / 8) * 8;

const isLoaded = (entry: Buffer): boolean => (entry.readBigUInt64LE(FLAGS) & LOADED) !== 0n;

const endOf = (entry: Buffer): number =>
  numberAt(entry, PLACE) + (entry.readUInt32LE(TYPE) === WITHOUT_BYTES ? 0 : numberAt(entry, SIZE));

/** Cuts a file behind the last section that is loaded; false where there is nothing to cut. */
const cut = (file: number): boolean => {
  const header = read(file, 0, HEADER);
  if (header.toString("hex", 0, 6) !== MAGIC) return false;
  const count = header.readUInt16LE(COUNT);
  const table = read(file, numberAt(header, TABLE), count * ENTRY);
  const entries = Array.from({ length: count }, (_, n) =>
    table.subarray(n * ENTRY, (n + 1) * ENTRY),
  );
  // The first one is nobody's. They name each other by their numbers, which have to stay.
  const kept = entries.filter((entry, n) => n === 0 || isLoaded(entry));
  if (kept.length + 1 >= count || kept.some((entry, n) => entry !== entries[n])) return false;
  const named = entries[header.readUInt16LE(NAMES)]!;
  const names = read(file, numberAt(named, PLACE), aligned(numberAt(named, SIZE)));
  const end = aligned(Math.max(...kept.map(endOf)));
  named.writeBigUInt64LE(BigInt(end), PLACE);
  const rest = Buffer.concat([names, ...kept, named]);
  writeSync(file, rest, 0, rest.length, end);
  ftruncateSync(file, end + rest.length);
  header.writeBigUInt64LE(BigInt(end + names.length), TABLE);
  header.writeUInt16LE(kept.length + 1, COUNT);
  header.writeUInt16LE(kept.length, NAMES);
  writeSync(file, header, 0, HEADER, 0);
  return true;
};

/** Replaces a program by one without it: what runs can be replaced, not written to. */
export const strip = (program: string): void => {
  const copy = `${program}.stripped`;
  copyFileSync(program, copy);
  const file = openSync(copy, "r+");
  const isCut = cut(file);
  closeSync(file);
  if (isCut) renameSync(copy, program);
  else rmSync(copy);
};
