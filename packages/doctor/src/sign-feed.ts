// Signs the feed that servers read by UPDATE_FEED:
//   node packages/doctor/src/sign-feed.ts --new-key feed.key     makes a key and prints its public half
//   node packages/doctor/src/sign-feed.ts feed.key < versions.json > updates.json
// versions.json is what feed.ts describes. The key stays with whoever releases.

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { readFeed } from "./feed.ts";
import { toMultikey } from "./uses.ts";

/** Returns the signed feed; throws for one that servers would refuse. */
export const signFeed = (signed: string, key: KeyObject, now = new Date()): string => {
  const signature = sign(null, Buffer.from(signed), key).toString("base64");
  const text = JSON.stringify({ signed, signature });
  readFeed(text, [createPublicKey(key)], now);
  return text;
};

if (import.meta.main) {
  const [first = "", path = ""] = process.argv.slice(2);
  if (first === "--new-key") {
    const { privateKey } = generateKeyPairSync("ed25519");
    const pem = privateKey.export({ type: "pkcs8", format: "pem" });
    writeFileSync(path, pem, { mode: 0o600, flag: "wx" });
    console.log(toMultikey(privateKey));
  } else {
    console.log(signFeed(readFileSync(0, "utf8"), createPrivateKey(readFileSync(first))));
  }
}
