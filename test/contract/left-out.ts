// Members of the contract, which covers several servers, that this server never answers and so does not promise.

import { memberPlace } from "../../src/domain/about/instance/extensions.ts";
import type { Schema } from "../../src/platform/http/extension.ts";

const LEFT_OUT = [
  // These are members of older schema versions.
  "AnnualReport.data.commonly_interacted_with_accounts",
  "AnnualReport.data.most_reblogged_accounts",
  "AnnualReport.data.most_used_apps",
  "AnnualReport.data.percentiles",
  "AnnualReport.data.type_distribution",
  "Error.state",
  "MediaAttachment.meta.colors",
  "NodeInfo.usage.localComments",
  "V1_Instance.max_toot_chars",
  "V1_Instance.poll_limits",
];

/** Returns the entities of the contract with the members that this server answers. */
export const asPromised = (contract: Record<string, Schema>): Record<string, Schema> => {
  const entities = structuredClone(contract);
  for (const path of LEFT_OUT) {
    const [object, name] = memberPlace(entities, path);
    if (!object.properties?.[name]) throw new Error(`the contract has no ${path}`);
    if ((object["required"] as string[] | undefined)?.includes(name)) {
      throw new Error(`the contract requires ${path}`);
    }
    delete object.properties[name];
  }
  return entities;
};
