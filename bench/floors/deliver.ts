// The floor of the delivery scenario: an RSA signature and a POST on a persistent connection, for each inbox.

import { createHash, createPrivateKey, sign } from "node:crypto";
import { Agent } from "undici";
import { offer } from "./process.ts";

const CONCURRENCY = 60;
const agent = new Agent({ connections: 8, pipelining: 1 });

type Order = { body: string; keyId: string; privateKey: string; inboxes: string[] };

const post = async (
  inbox: string,
  body: Buffer,
  digest: string,
  keyId: string,
  key: ReturnType<typeof createPrivateKey>,
) => {
  const { origin, host, pathname } = new URL(inbox);
  const date = new Date().toUTCString();
  const text = `(request-target): post ${pathname}\nhost: ${host}\ndate: ${date}\ndigest: ${digest}\ncontent-type: application/activity+json`;
  const signature = sign("sha256", Buffer.from(text), key).toString("base64");
  const answer = await agent.request({
    origin,
    path: pathname,
    method: "POST",
    headers: {
      date,
      digest,
      "content-type": "application/activity+json",
      signature: `keyId="${keyId}",algorithm="rsa-sha256",headers="(request-target) host date digest content-type",signature="${signature}"`,
    },
    body,
  });
  await answer.body.dump();
  if (answer.statusCode !== 202) throw new Error(`${inbox} answered ${answer.statusCode}`);
};

offer({
  async deliver({ body, keyId, privateKey, inboxes }: Order) {
    const bytes = Buffer.from(body);
    const key = createPrivateKey(privateKey);
    const digest = `SHA-256=${createHash("sha256").update(bytes).digest("base64")}`;
    let next = 0;
    const lane = async () => {
      while (next < inboxes.length) await post(inboxes[next++]!, bytes, digest, keyId, key);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  },
});
