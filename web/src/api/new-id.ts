// Makes random ids. A page that came over plain http from another machine has no `crypto.randomUUID`.

const hex = (byte: number): string => byte.toString(16).padStart(2, "0");

/** Returns a UUID of version 4 (RFC 9562). Node draws its own from bytes that it fetched for many. */
export const newId = (): string => {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return [...bytes]
    .map(hex)
    .join("")
    .replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};
