// This server's key for a provider, which is sealed as other secrets are.

import { createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { seal, unseal } from "../../platform/seal.ts";
import type { ProviderRow } from "./tables.ts";

type Named = Pick<ProviderRow, "base_url" | "server_id">;

const purposeOf = ({ base_url, server_id }: Named) => ({
  what: "fasp key",
  owner: `${base_url} ${server_id}`,
});

export const sealedKey = (app: App, provider: Named, key: KeyObject): Buffer =>
  seal(app, purposeOf(provider), key.export({ type: "pkcs8", format: "pem" }).toString());

export const ownKey = (
  app: App,
  provider: Named & Pick<ProviderRow, "sealed_key" | "private_key">,
): KeyObject => {
  const { sealed_key: sealed, private_key: plain } = provider;
  return createPrivateKey(sealed ? unseal(app, purposeOf(provider), sealed) : plain!);
};
