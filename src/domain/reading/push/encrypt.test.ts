// The examples of RFC 8291, section 5, and of draft-ietf-webpush-encryption-04, section 5.

import assert from "node:assert/strict";
import { test } from "node:test";
import { encryptDraft, encryptStandard, isPublicKey } from "./encrypt.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "base64url");

test("aes128gcm as in RFC 8291", () => {
  const receiver = {
    p256dh: bytes(
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    ),
    auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
  };
  const fresh = {
    salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
    privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
  };
  const text = Buffer.from("When I grow up, I want to be a watermelon");
  const { body, headers } = encryptStandard(text, receiver, fresh);
  assert.deepEqual(headers, { "content-encoding": "aes128gcm" });
  assert.equal(
    body.toString("base64url"),
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("aesgcm as in the draft", () => {
  const receiver = {
    p256dh: bytes(
      "BCEkBjzL8Z3C-oi2Q7oE5t2Np-p7osjGLg93qUP0wvqRT21EEWyf0cQDQcakQMqz4hQKYOQ3il2nNZct4HgAUQU",
    ),
    auth: bytes("R29vIGdvbyBnJyBqb29iIQ"),
  };
  const fresh = {
    salt: bytes("lngarbyKfMoi9Z75xYXmkg"),
    privateKey: bytes("nCScek-QpEjmOOlT-rQ38nZzvdPlqa00Zy0i6m2OJvY"),
  };
  const { body, headers } = encryptDraft(Buffer.from("I am the walrus"), receiver, fresh);
  assert.equal(headers["encryption"], "salt=lngarbyKfMoi9Z75xYXmkg");
  assert.equal(
    headers["crypto-key"],
    "dh=BNoRDbb84JGm8g5Z5CFxurSqsXWJ11ItfXEWYVLE85Y7CYkDjXsIEc4aqxYaQ1G8BqkXCJ6DPpDrWtdWj_mugHU",
  );
  assert.equal(body.toString("base64url"), "6nqAQUME8hNqw5J3kl8cpVVJylXKYqZOeseZG8UueKpA");
});

test("only points on the curve are public keys", () => {
  const good = bytes(
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  );
  assert.equal(isPublicKey(good), true);
  const off = Buffer.from(good);
  off[64]! ^= 1;
  for (const bad of [off, good.subarray(0, 64), Buffer.alloc(65), Buffer.alloc(0)])
    assert.equal(isPublicKey(bad), false);
});
