import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { isSrgb } from "./profile.ts";

const profileOf = async (name: string): Promise<Buffer> => {
  const plain = sharp({ create: { width: 1, height: 1, channels: 3, background: "#888" } });
  const { icc } = await sharp(await plain.withIccProfile(name).jpeg().toBuffer()).metadata();
  return icc!;
};

/** A profile with this description alone, as version 4 writes it. */
const versionFour = (description: string): Buffer => {
  const text = Buffer.from(description, "utf16le").swap16();
  const tag = Buffer.alloc(28);
  tag.write("mluc");
  const table = Buffer.alloc(16);
  table.writeUInt32BE(1, 0);
  table.write("desc", 4);
  table.writeUInt32BE(128 + 16, 8);
  table.writeUInt32BE(28 + text.length, 12);
  return Buffer.concat([Buffer.alloc(128), table, tag, text]);
};

test("a profile that says that it is sRGB is known, of both versions; others are not", async () => {
  assert.equal(isSrgb(await profileOf("srgb")), true);
  assert.equal(isSrgb(versionFour("sRGB IEC61966-2.1")), true);
  assert.equal(isSrgb(await profileOf("p3")), false);
  assert.equal(isSrgb(versionFour("Display P3")), false);
  assert.equal(isSrgb(versionFour("e-sRGB")), false);
});

test("a profile that is cut off anywhere, or names what it has not, is no sRGB and no error", async () => {
  const whole = await profileOf("p3");
  for (let length = 0; length < whole.length; length += 7) {
    assert.equal(isSrgb(whole.subarray(0, length)), false);
  }
  const far = versionFour("sRGB");
  far.writeUInt32BE(0xffff_fff0, 128 + 8);
  assert.equal(isSrgb(far), false);
  const many = Buffer.concat([Buffer.alloc(128), Buffer.alloc(64, 0xff)]);
  assert.equal(isSrgb(many), false);
});
